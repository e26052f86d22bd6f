import { readBasic } from '../../core/basic-credentials.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import { findSession, principalOfToken, refuseToken } from '../access/credentials.ts'
import { anonymous, type Principal } from '../access/principal.ts'

const accountPassword =
  'Password authentication in git is no longer supported. You must use a user access token or an SSH key instead. See https://huggingface.co/blog/password-git-deprecation'

/**
 * Identifies the user of a bearer token.
 * @param authorization value of the `Authorization` header; absent = anonymous
 * @throws {Refusal} `invalid_token` when the token is unknown, expired or revoked; `detail` says which
 * @see RFC 6750 §2.1, §3.1
 */
export function identifyBearer(
  deps: Pick<Deps, 'state' | 'clock'>,
  authorization: string | undefined,
): Principal {
  if (authorization === undefined) return anonymous
  const value = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
  if (value === undefined) {
    throw refuseToken('the Authorization header does not have the form `Bearer <token>`')
  }
  return principalOfToken(deps, deps.state.tokens.find('token', value))
}

/**
 * Identifies the user of a token that is the password of HTTP Basic, with any user name, or a bearer token.
 * @param authorization value of the `Authorization` header; absent = anonymous
 * @throws {Refusal} `invalid_token` as {@link identifyBearer}
 * @see RFC 7617 §2
 */
export function identifyBasic(
  deps: Pick<Deps, 'state' | 'clock'>,
  authorization: string | undefined,
): Principal {
  const basic = readBasic(authorization)
  if (basic === undefined) return identifyBearer(deps, authorization)
  const { password = '' } = basic
  if (password === '')
    throw refuseToken('the password is empty; use an access token as the password')
  return principalOfToken(deps, deps.state.tokens.find('token', password))
}

/**
 * Identifies a client of git or Git LFS, whose user may have typed an account password.
 * @throws {Refusal} `invalid_token` as {@link identifyBasic}; with the Hub's message when the password is not a token
 */
export function identifyGit(
  deps: Pick<Deps, 'state' | 'clock'>,
  authorization: string | undefined,
): Principal {
  const password = readBasic(authorization)?.password ?? ''
  const mayBeToken = password === '' || password.startsWith('hf_')
  if (mayBeToken || deps.state.tokens.find('token', password) !== undefined) {
    return identifyBasic(deps, authorization)
  }
  throw new Refusal('invalid_token', accountPassword, {
    detail: 'the password is not an access token; access tokens begin with hf_',
  })
}

/** Identifies the user of a browser session; anonymous when the cookie is absent, unknown or expired. */
export function identifySession(
  deps: Pick<Deps, 'state' | 'clock'>,
  cookie: string | undefined,
): Principal {
  const found = findSession(deps, cookie)
  return found === undefined ? anonymous : { kind: 'session', ...found }
}
