import { earliestClockMs, latestClockMs } from '../../../contract/fixtures/limits.ts'
import { isObject } from '../../../core/is-object.ts'
import { JsonDepthError, parseShallowJson } from '../../../core/json-depth.ts'
import { own } from '../../../core/own.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { Settings } from '../../../core/settings.ts'
import { shortened } from '../../../core/shortened.ts'
import { isoTime } from '../../../core/time.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** ID token of a CI job. Nothing in it is verified when it was only read. */
export interface CiIdToken {
  readonly text: string
  readonly header: { readonly alg: string; readonly kid?: string }
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** Longest ID token, in characters: those of the providers have about 2,000. */
export const longestIdToken = 16 * 1024
/** Longest value in an error message, in characters. */
const longestShown = 200
/** Tolerated difference between the clocks of issuer and hub. */
const toleranceMs = 60_000
/** Asymmetric algorithms (RFC 7518 §3.1, RFC 8037 §3.1): a secret cannot be shared with every issuer. */
const algorithms = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
)

/**
 * Reads an ID token without verifying it.
 * @throws {Refusal} `invalid_request` for a text that is not a signed JWT; `invalid_grant` for its algorithm or claims
 * @see RFC 7519 §7.2
 */
export function readIdToken(text: string): CiIdToken {
  if (text.length > longestIdToken) {
    throw malformed(`it has ${text.length} characters; at most ${longestIdToken} are read`)
  }
  const parts = text.split('.')
  if (parts.length !== 3) {
    throw malformed(`it has ${parts.length} parts separated by dots; a signed JWT has 3`)
  }
  const [header, claims] = [readPart(parts[0] ?? '', 'header'), readPart(parts[1] ?? '', 'payload')]
  const { alg, kid } = header
  if (typeof alg !== 'string' || !algorithms.has(alg)) {
    throw refuse(
      `its alg is ${shortJson(alg)}; it must be signed with a key pair, for example RS256`,
    )
  }
  if (kid !== undefined && typeof kid !== 'string') throw refuse('its kid is not a string')
  // An extension that must be understood (RFC 7515 §4.1.11); none is.
  if (own(header, 'crit') !== undefined) {
    throw refuse(`its crit is ${shortJson(header['crit'])}, which requires unsupported extensions`)
  }
  const { iss: issuer } = claims
  if (typeof issuer !== 'string') throw refuse(`its iss is ${shortJson(issuer)}, not a string`)
  return { text, header: { alg, ...(kid === undefined ? {} : { kid }) }, issuer, claims }
}

/**
 * Verifies the signature of an ID token, by a key of its issuer.
 * @throws {Refusal} `invalid_grant`
 */
export async function verifySignature(issuerKeys: IssuerKeys, idToken: CiIdToken): Promise<void> {
  const { text, header, issuer } = idToken
  const key = await issuerKeys.find(issuer, header)
  const { compactVerify, importJWK } = await import('jose')
  try {
    await compactVerify(text, await importJWK(key, header.alg), { algorithms: [header.alg] })
  } catch (error) {
    // A foreign key can also be one that no library imports.
    throw refuse(`its signature does not match the key ${header.kid ?? ''} of ${issuer}`, error)
  }
}

/**
 * Checks the times of an ID token by the sandbox clock.
 * @throws {Refusal} `invalid_grant`
 * @see RFC 7519 §4.1.4, §4.1.5, §4.1.6
 */
export function checkTimes({ claims }: CiIdToken, now: number): void {
  const expiresAt = timeOf(claims, 'exp')
  if (expiresAt === undefined) throw refuse('it has no exp')
  if (expiresAt <= now) {
    throw refuse(`it expired at ${isoTime(expiresAt)}; the clock of the sandbox is ${isoTime(now)}`)
  }
  for (const name of ['nbf', 'iat'] as const) {
    const time = timeOf(claims, name) ?? 0
    if (time > now + toleranceMs) {
      throw refuse(
        `it is from the future: its ${name} is ${isoTime(time)}; the clock of the sandbox is ${isoTime(now)}`,
      )
    }
  }
}

/**
 * Checks that an ID token was requested for the hub. The real hub's own URL is accepted, too, because workflows contain
 * it.
 * @throws {Refusal} `invalid_grant`
 * @see RFC 7519 §4.1.3
 */
export function checkAudience(
  { baseUrl, backChannelUrl }: Pick<Settings, 'baseUrl' | 'backChannelUrl'>,
  { claims }: CiIdToken,
): void {
  const { aud } = claims
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (audiences.length === 0 || !audiences.every((value) => typeof value === 'string')) {
    throw refuse(`its aud is ${shortJson(aud)}, neither a string nor a list of strings`)
  }
  const accepted = [baseUrl, backChannelUrl, realHub]
  if (audiences.some((value) => accepted.includes(value.replace(/\/$/, '')))) return
  throw refuse(
    `its audience differs: its aud is ${shortJson(aud)}, but must be ${JSON.stringify(baseUrl)}`,
  )
}

export const realHub = 'https://huggingface.co'

export function refuse(reason: string, cause?: unknown): Refusal {
  return new Refusal(
    'invalid_grant',
    `The ID token cannot be exchanged: ${reason}.`,
    cause === undefined ? {} : { cause },
  )
}

function malformed(reason: string): Refusal {
  return new Refusal('invalid_request', `The subject_token is not an ID token: ${reason}.`)
}

function readPart(part: string, name: string): Record<string, unknown> {
  let value: unknown
  try {
    if (!/^[\w-]+$/.test(part)) throw malformed(`its ${name} is not base64url`)
    value = parseShallowJson(Buffer.from(part, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw malformed(
      error instanceof JsonDepthError ? `its ${name}: ${error.message}` : `its ${name} is not JSON`,
    )
  }
  if (!isObject(value)) throw malformed(`its ${name} is not a JSON object`)
  return value
}

/**
 * Reads a claim in seconds (RFC 7519 §2), as milliseconds.
 * @throws {Refusal} `invalid_grant` for a number that is no time of the years 1970 to 9999
 */
function timeOf(claims: CiIdToken['claims'], name: string): number | undefined {
  const value = own(claims, name)
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw refuse(`its ${name} is ${shortJson(value)}, not a number`)
  const ms = value * 1000
  if (ms >= earliestClockMs && ms <= latestClockMs) return ms
  throw refuse(`its ${name} is ${value}, not in the years 1970 to 9999`)
}

function shortJson(value: unknown): string {
  return shortened(JSON.stringify(value), longestShown)
}
