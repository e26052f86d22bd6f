import { encodeText } from '../../core/encode-text.ts'
import type { FaultItem } from '../../contract/control-faults.ts'
import type { State } from '../../store/state.ts'

export interface TokenDocument {
  access_token: string
  refresh_token?: unknown
}

/** Gives the tokens of a response longer names, which the sandbox accepts from then on. */
export function lengthenTokens(
  { tokens, refreshTokens }: Pick<State, 'tokens' | 'refreshTokens'>,
  { accessToken, refreshToken }: NonNullable<FaultItem['lengthen']>,
  document: TokenDocument,
): TokenDocument {
  const changed = { ...document }
  const access = tokens.find('token', document.access_token)
  if (access !== undefined && accessToken !== undefined) {
    changed.access_token = longer(access.token, accessToken)
    tokens.put({ ...access, token: changed.access_token })
  }
  const refresh = refreshTokens.get(String(document.refresh_token))
  if (refresh !== undefined && refreshToken !== undefined) {
    changed.refresh_token = longer(refresh.id, refreshToken)
    refreshTokens.delete(refresh.id)
    refreshTokens.put({ ...refresh, id: longer(refresh.id, refreshToken) })
  }
  return changed
}

/** Characters that are allowed in codes, the last of which a URL must encode (RFC 6749 §A.11). */
const unusual = '.-_~+'

/** Gives the code of a redirect a longer name, which the sandbox accepts from then on. */
export function withLongCode(
  { codes }: Pick<State, 'codes'>,
  location: string,
  length: number,
): string {
  const code = codes.get(new URL(location).searchParams.get('code') ?? '')
  if (code === undefined) return location
  const id = longer(`${code.id}${unusual}`, length)
  codes.delete(code.id)
  codes.put({ ...code, id })
  return location.replace(code.id, encodeText(id))
}

/** Repeats the end of a secret, so that it keeps its form and stays as hard to guess. */
function longer(secret: string, length: number): string {
  return secret.padEnd(length, secret.slice(-20))
}
