import { omitUndefined } from '../../core/omit-undefined.ts'
import type { AccessToken, TrustedPublisher } from '../../store/entities/oauth-entities.ts'
import type { Deps } from '../deps.ts'

export interface RevokeDeps extends Pick<Deps, 'state'> {
  readonly clock: Pick<Deps['clock'], 'now'>
  readonly bus: Pick<Deps['bus'], 'emit'>
}

/** Revokes an access token, unless it is already revoked. */
export function revokeAccessToken(deps: RevokeDeps, token: AccessToken, because: string): void {
  if (token.revokedAt !== undefined) return
  deps.state.tokens.put({ ...token, revokedAt: deps.clock.now(), revokedBecause: because })
  deps.bus.emit('token.revoked', {
    tokenId: token.id,
    userId: token.userId,
    because,
    ...omitUndefined({ clientId: token.clientId }),
  })
}

/** Deletes a trusted publisher and revokes its tokens. */
export function deletePublisher(deps: RevokeDeps, { id }: TrustedPublisher): void {
  for (const token of deps.state.tokens.group('publisher', id)) {
    revokeAccessToken(deps, token, 'its trusted publisher was deleted')
  }
  deps.state.trustedPublishers.delete(id)
  deps.bus.emit('publisher.changed', { publisherId: id })
}
