import { createHash } from 'node:crypto'
import { latestClockMs } from '../../../contract/fixtures/limits.ts'
import { Refusal } from '../../../core/refusal.ts'
import { dateOf } from '../../../core/time.ts'
import {
  type CiDrill,
  type CiProvider,
  ciProviders,
  refClaims,
} from '../../../contract/words/ci-words.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { sandboxIssuer } from './issuers.ts'
import { usualClaims } from './usual-claims.ts'

export type MintDeps = Pick<OAuthDeps, 'clock' | 'ids' | 'keys' | 'settings' | 'state'>

export interface CiTokenRequest {
  readonly provider: CiProvider
  /** Claims that replace or extend the usual ones. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** `aud`; default: the sandbox, as the hub wants it. */
  readonly audience?: string
  /** Mistake to make. */
  readonly drill?: CiDrill
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
/** Most ID tokens to remember as exchanged; the oldest one is dropped first. */
const mostExchanged = 1000

/**
 * Mints the ID token of a job, as its provider would. Times follow the sandbox clock, which also checks them.
 * @returns compact JWT, RS256, and its claims
 */
export async function mintCiToken(
  deps: MintDeps,
  { provider, claims: given = {}, audience = deps.settings.baseUrl, drill }: CiTokenRequest,
): Promise<MintedCiToken> {
  const issuer = sandboxIssuer(deps.settings, provider)
  const issuedAt = Math.floor(deps.clock.now() / 1000) - (drill === 'expired' ? 2 * 3600 : 0)
  const claims = drill === 'wrong-ref' ? { ...given, [refClaims[provider]]: 'drill' } : given
  const all = {
    ...usualClaims(provider, claims, deps.ids.of('ci token').uuid()),
    iss: issuer,
    aud: drill === 'wrong-audience' ? 'https://drill.invalid' : audience,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimes[provider],
    ...claims,
  }
  const kid = drill === 'unknown-key' ? 'drill' : undefined
  const minted = { token: await deps.keys.sign(all, kid), issuer, claims: all }
  if (drill === 'replay') rememberAsExchanged(deps, minted)
  return minted
}

/** Lets an ID token count as exchanged before, by another job. */
function rememberAsExchanged(
  { state, clock }: MintDeps,
  { token, claims }: Pick<MintedCiToken, 'token' | 'claims'>,
): void {
  const now = clock.now()
  for (const used of state.exchangedIdTokens.values()) {
    const isOver = used.expiresAt <= now || state.exchangedIdTokens.size >= mostExchanged
    if (isOver) state.exchangedIdTokens.delete(used.id)
  }
  // The caller sets any claim; without a time the exchange refuses the token anyway.
  const { exp } = claims
  const ms = typeof exp === 'number' ? exp * 1000 : 0
  const expiresAt = Math.min(Math.max(ms, 0), latestClockMs)
  state.exchangedIdTokens.put({ id: exchangeId(token), exchangedAt: now, expiresAt })
}

/** Id of an exchanged ID token. Some providers set no `jti`. */
export function exchangeId(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * Signs the bearer token with which a GitHub job requests ID tokens. It contains the claims of the job, so that a reset or
 * restart of the sandbox does not end it.
 */
export function signRequestToken(
  { clock, keys, settings }: MintDeps,
  job: Pick<CiTokenRequest, 'claims' | 'drill'>,
): Promise<string> {
  const issuer = sandboxIssuer(settings, 'github')
  const issuedAt = Math.floor(clock.realNow() / 1000)
  return keys.sign({
    iss: issuer,
    aud: `${issuer}/token`,
    exp: issuedAt + requestTokenSeconds,
    job,
  })
}

/**
 * Reads the job from its request token.
 * @throws {Refusal} `unauthenticated` for any other token
 */
export async function readRequestToken(
  { clock, keys, settings }: MintDeps,
  authorization: string | undefined,
): Promise<Pick<CiTokenRequest, 'claims' | 'drill'>> {
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
  // The sandbox signed it, so it has the shape that {@link signRequestToken} gave it.
  const { job = {} } = payload as { job?: Pick<CiTokenRequest, 'claims' | 'drill'> }
  return job
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
