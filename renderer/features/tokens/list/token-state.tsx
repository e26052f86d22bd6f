import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Countdown } from '../../../ui/time.tsx'
import { stateOf } from '../model/token-texts.ts'

interface TokenStateProps {
  token: TokenItem
  now: number
}

export function TokenState({ token, now }: TokenStateProps) {
  const state = stateOf(token, now)
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
  return (
    <Badge tone="ok" icon="check">
      active
    </Badge>
  )
}

/** Time until an active token expires. */
export function TokenRemaining({ token, now }: TokenStateProps) {
  if (stateOf(token, now) !== 'active') return <span className="text-faint">–</span>
  if (token.expiresAt === undefined) return <span className="text-muted">never expires</span>
  return <Countdown time={token.expiresAt} />
}
