import { omitUndefined } from '../../core/omit-undefined.ts'
import type { RefreshTokenState } from '../../contract/words/oauth-words.ts'
import type { Deps } from '../../hub/deps.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import { refreshTokenExpiry } from '../../hub/oauth/tokens.ts'
import { bodyText } from '../log/body-text.ts'
import type { RequestLog, RequestRecord } from '../log/request-log.ts'

/** History of a token, as far as the state and the log go back. */
export interface TokenStory {
  /** Request whose response contained it. */
  issuedBy?: RequestRecord
  /** Token that it replaced, and the token that replaced it (RFC 6749 §6). */
  refreshedFrom?: AccessToken
  refreshedInto?: AccessToken
  refreshToken: RefreshTokenState
  /** Requests that used it, in the order of their arrival. */
  uses: RequestRecord[]
}

export function readTokenStory(
  deps: Pick<Deps, 'state' | 'clock' | 'settings'> & { requests: Pick<RequestLog, 'values'> },
  token: AccessToken,
): TokenStory {
  const { state, requests } = deps
  const records = requests.values()
  const issuedBy = records.find((record) => handsOut(record, token.token))
  // Tokens of one authorization form a chain, because each refresh token works once.
  const chain =
    token.familyId === undefined ? [token] : state.tokens.group('family', token.familyId)
  const place = chain.findIndex(({ id }) => id === token.id)
  const before = place > 0 && token.grant === 'refresh_token' ? chain[place - 1] : undefined
  const after = chain[place + 1]
  return {
    uses: records.filter((record) => broughtToken(record) === token.token),
    refreshToken: refreshTokenOf(deps, token, after !== undefined),
    ...omitUndefined({ issuedBy, refreshedFrom: before, refreshedInto: after }),
  }
}

function refreshTokenOf(
  { state, clock, settings }: Pick<Deps, 'state' | 'clock' | 'settings'>,
  { familyId }: AccessToken,
  wasRefreshed: boolean,
): RefreshTokenState {
  if (wasRefreshed) return 'used'
  const last =
    familyId === undefined ? undefined : state.refreshTokens.group('family', familyId).at(-1)
  if (last === undefined) return 'none'
  if (last.revokedAt !== undefined) return 'revoked'
  if (last.usedAt !== undefined) return 'used'
  return refreshTokenExpiry(settings, last) <= clock.now() ? 'expired' : 'unused'
}

function handsOut({ url, response }: RequestRecord, token: string): boolean {
  return url.startsWith('/oauth/token') && bodyText(response.body)?.includes(`"${token}"`) === true
}

/** Returns the token that a request sent (RFC 6750 §2.1, §2.2). */
function broughtToken({ url, request }: RequestRecord): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer
  if (!url.startsWith('/oauth/userinfo') || !(request.body instanceof URLSearchParams))
    return undefined
  return request.body.get('access_token') ?? undefined
}
