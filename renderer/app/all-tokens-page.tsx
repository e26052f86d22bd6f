import { TokenCard } from '../features/sign-ins/detail/token-card.tsx'
import { TokensPage } from '../features/tokens/page.tsx'

/** The tokens; an ID token that came along is taken apart as in the sign-in that it belongs to. */
export function AllTokensPage({ tokenId }: { tokenId: string | undefined }) {
  return <TokensPage tokenId={tokenId} renderIdToken={(idToken) => <TokenCard token={idToken} />} />
}
