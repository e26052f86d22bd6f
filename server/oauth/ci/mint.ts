import { isObject } from '../../core/is-object.ts'
import { Refusal } from '../../core/refusal.ts'
import { dateOf } from '../../core/time.ts'
import { type CiProvider, ciProviders } from '../../contract/words/ci.ts'
import type { OAuthDeps } from '../deps.ts'
import { sandboxIssuer } from './issuers.ts'
import { usualClaims } from './usual-claims.ts'

type MintDeps = Pick<OAuthDeps, 'clock' | 'ids' | 'keys' | 'settings'>

export interface CiTokenRequest {
  readonly provider: CiProvider
  /** Claims that replace or extend the usual ones. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** `aud`; default: the sandbox, as the hub wants it. */
  readonly audience?: string
  /** Key id that the issuer does not publish, for a drill. */
  readonly kid?: string
}

export interface MintedCiToken {
  readonly token: string
  readonly issuer: string
  readonly claims: Record<string, unknown>
}

/** Lifetime of an ID token, in seconds: GitHub makes one for each request, the others one for a job. */
const lifetimes: Readonly<Record<CiProvider, number>> = {
  github: 300,
  gitlab: 3600,
  circleci: 3600,
  bitbucket: 3600,
}
/** Time for which a job may request ID tokens, as on GitHub. */
const requestTokenSeconds = 6 * 3600

/**
 * Mints the ID token of a job, as its provider would. Times follow the sandbox clock, which also checks them.
 * @returns compact JWT, RS256, and its claims
 */
export async function mintCiToken(
  deps: MintDeps,
  { provider, claims = {}, audience = deps.settings.baseUrl, kid }: CiTokenRequest,
): Promise<MintedCiToken> {
  const issuer = sandboxIssuer(deps.settings, provider)
  const issuedAt = Math.floor(deps.clock.now() / 1000)
  const all = {
    ...usualClaims(provider, claims, deps.ids.of('ci token').uuid()),
    iss: issuer,
    aud: audience,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimes[provider],
    ...claims,
  }
  return { token: await deps.keys.sign(all, kid), issuer, claims: all }
}

/**
 * Signs the bearer token with which a GitHub job requests ID tokens. It contains the claims of the job, so that a reset or
 * restart of the sandbox does not end it.
 */
export function signRequestToken(
  { clock, keys, settings }: MintDeps,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const issuer = sandboxIssuer(settings, 'github')
  const issuedAt = Math.floor(clock.realNow() / 1000)
  return keys.sign({
    iss: issuer,
    aud: `${issuer}/token`,
    exp: issuedAt + requestTokenSeconds,
    job: claims,
  })
}

/**
 * Reads the claims of the job from its request token.
 * @throws {Refusal} `unauthenticated` for any other token
 */
export async function readRequestToken(
  { clock, keys, settings }: MintDeps,
  authorization: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const token = /^bearer +([\w.-]+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw refuseRequest('send Authorization: Bearer with the request token')
  const issuer = sandboxIssuer(settings, 'github')
  const { createLocalJWKSet, jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(
    token,
    createLocalJWKSet({ keys: [...(await keys.published())] }),
    {
      algorithms: ['RS256'],
      issuer,
      audience: `${issuer}/token`,
      currentDate: dateOf(clock.realNow()),
    },
  ).catch((error: Error) => {
    throw refuseRequest(`the request token is invalid: ${error.message}`, error)
  })
  return isObject(payload['job']) ? payload['job'] : {}
}

function refuseRequest(reason: string, cause?: unknown): Refusal {
  return new Refusal('unauthenticated', `No ID token for this request: ${reason}.`, { cause })
}

/** Metadata of the issuer (OpenID Connect Discovery §3). */
export function ciDiscovery(settings: MintDeps['settings'], provider: CiProvider) {
  const issuer = sandboxIssuer(settings, provider)
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks`,
    subject_types_supported: ['public'],
    response_types_supported: ['id_token'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid'],
  }
}

/** @throws {Refusal} `not_found` */
export function requireCiProvider(name: string): CiProvider {
  const provider = ciProviders.find((one) => one === name)
  if (provider !== undefined) return provider
  throw new Refusal(
    'not_found',
    `Unknown CI provider ${JSON.stringify(name)}: use ${ciProviders.join(', ')}.`,
  )
}
