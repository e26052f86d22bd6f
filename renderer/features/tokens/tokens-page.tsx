import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { MoreThanShown } from '../../components/states.tsx'
import { MintDialog } from './mint-dialog.tsx'
import { TokenTable } from './token-table.tsx'
import { useTokens } from './token-requests.ts'

export function TokensPage() {
  const tokens = useTokens()
  const [minting, setMinting] = useState(false)
  return (
    <Page
      title="Tokens"
      lead="Every access token the sandbox has issued. All of them are fakes; clients cannot tell."
      actions={
        <Button look="primary" icon="plus" onClick={() => setMinting(true)}>
          Mint a token
        </Button>
      }
    >
      <QueryView query={tokens} what="tokens">
        {({ items, cut }) => (
          <>
            <TokenTable items={items} onMint={() => setMinting(true)} />
            {cut && <MoreThanShown shown={items.length} />}
          </>
        )}
      </QueryView>
      <MintDialog open={minting} onOpenChange={setMinting} />
    </Page>
  )
}
