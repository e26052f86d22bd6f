import { TokenCard } from '../features/sign-ins/detail/token-card.tsx'
import { TokensPage } from '../features/tokens/page.tsx'

/** Tokens; ID tokens are decoded with the card of the sign-ins page. */
export function AllTokensPage({ tokenId }: { tokenId: string | undefined }) {
  return <TokensPage tokenId={tokenId} renderIdToken={(idToken) => <TokenCard token={idToken} />} />
}
