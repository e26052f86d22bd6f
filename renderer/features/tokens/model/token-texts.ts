import type { TokenItem } from '../../../../server/contract/control-tokens.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

type Named = Pick<TokenItem, 'name' | 'app' | 'kind'>

/** Name of a token: its own, else that of its app. */
export function nameOfToken({ name, app }: Named): string {
  return visibleControls(name ?? app?.name ?? 'User access token')
}

/** Origin of a token, below its name. */
export function originOf({ grant, role }: Pick<TokenItem, 'grant' | 'role'>): string {
  return [grant.replaceAll('_', ' '), ...(role === undefined ? [] : [role])].join(' · ')
}

/** Searchable texts of a token, in lower case. */
export function wordsOf({ user, app, name, scopes, token, grant }: TokenItem): string {
  return [user.username, app?.name ?? '', name ?? '', ...scopes, token, grant]
    .join(' ')
    .toLowerCase()
}

/** State on the sandbox clock, so that a token expires without a request. */
export function stateOf(
  token: Pick<TokenItem, 'state' | 'expiresAt'>,
  now: number,
): TokenItem['state'] {
  if (token.state !== 'active') return token.state
  return token.expiresAt && Date.parse(token.expiresAt) <= now ? 'expired' : 'active'
}

/** Milliseconds that an active token has left; none for the others. */
export function remainingMs(
  token: Pick<TokenItem, 'state' | 'expiresAt'>,
  now: number,
): number | undefined {
  if (stateOf(token, now) !== 'active') return undefined
  return token.expiresAt === undefined ? Infinity : Date.parse(token.expiresAt) - now
}
