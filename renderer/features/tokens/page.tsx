import { useLocation } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { ListAndPanel } from '../../ui/list-and-panel.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { MoreThanShown } from '../../ui/states.tsx'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useFlag, useParameterText } from '../../lib/parameters.ts'
import { MintDialog } from './detail/create-token-dialog.tsx'
import type { RenderIdToken } from './detail/token-history.tsx'
import { TokenPanel } from './detail/token-panel.tsx'
import { TokenTable } from './list/token-table.tsx'
import { useTokens } from './model/requests.ts'
import { words } from './words.ts'

interface TokensPageProps {
  /** Open token. */
  tokenId: string | undefined
  renderIdToken: RenderIdToken
}

export function TokensPage({ tokenId, renderIdToken }: TokensPageProps) {
  const tokens = useTokens()
  const [, navigate] = useLocation()
  const search = useParameterText()
  const [minting, setMinting] = useFlag('new')
  const close = () => navigate(`/tokens${search}`, { replace: true })
  useHotkeys({ Escape: close }, tokenId !== undefined)
  return (
    <Page
      title={words.tokens}
      lead="Every access token that the sandbox issued. None work outside it."
      actions={
        <Button look="primary" icon="plus" onClick={() => setMinting(true)}>
          {words.createToken}
        </Button>
      }
    >
      <ListAndPanel
        label={words.token}
        onClose={close}
        renderList={(isBeside) => (
          <QueryView query={tokens} what="tokens">
            {({ items, cut }) => (
              <>
                <TokenTable
                  items={items}
                  openId={tokenId}
                  isNarrow={isBeside}
                  onMint={() => setMinting(true)}
                  onOpen={({ id }) => navigate(`/tokens/${id}${search}`)}
                />
                {cut && <MoreThanShown shown={items.length} />}
              </>
            )}
          </QueryView>
        )}
        renderPanel={
          tokenId === undefined
            ? undefined
            : (isBeside) => (
                <TokenPanel
                  key={tokenId}
                  id={tokenId}
                  renderIdToken={renderIdToken}
                  onClose={isBeside ? close : undefined}
                />
              )
        }
      />
      <MintDialog open={minting} onOpenChange={setMinting} />
    </Page>
  )
}
