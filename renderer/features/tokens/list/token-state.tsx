import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Countdown } from '../../../ui/time.tsx'

/** State on the sandbox clock, so that a token expires without a request. */
export function stateOf(
  token: Pick<TokenItem, 'state' | 'expiresAt'>,
  now: number,
): TokenItem['state'] {
  if (token.state !== 'active') return token.state
  return token.expiresAt && Date.parse(token.expiresAt) <= now ? 'expired' : 'active'
}

export function TokenState({ token, state }: { token: TokenItem; state: TokenItem['state'] }) {
  if (state === 'revoked') {
    return (
      <span title={token.revokedBecause}>
        <Badge tone="bad" icon="cross">
          revoked
        </Badge>
      </span>
    )
  }
  if (state === 'expired') return <Badge icon="clock">expired</Badge>
  return token.expiresAt ? (
    <Badge tone="ok" icon="check">
      <Countdown time={token.expiresAt} />
    </Badge>
  ) : (
    <Badge tone="ok" icon="check">
      never expires
    </Badge>
  )
}
