import { useLocation } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { MoreThanShown } from '../../ui/states.tsx'
import { useFlag, useParameterText } from '../../lib/parameters.ts'
import { MintDialog } from './detail/create-token-dialog.tsx'
import type { RenderIdToken } from './detail/token-history.tsx'
import { TokenDialog } from './detail/token-dialog.tsx'
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
      <QueryView query={tokens} what="tokens">
        {({ items, cut }) => (
          <>
            <TokenTable
              items={items}
              onMint={() => setMinting(true)}
              onOpen={({ id }) => navigate(`/tokens/${id}${search}`)}
            />
            {cut && <MoreThanShown shown={items.length} />}
          </>
        )}
      </QueryView>
      {tokenId && (
        <TokenDialog
          id={tokenId}
          renderIdToken={renderIdToken}
          onClose={() => navigate(`/tokens${search}`, { replace: true })}
        />
      )}
      <MintDialog open={minting} onOpenChange={setMinting} />
    </Page>
  )
}
