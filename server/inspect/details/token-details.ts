import { createHash, createPublicKey, verify } from 'node:crypto'
import type { DecodedToken } from '../../contract/control-flows.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { SigningKey } from '../../store/entities/oauth-entities.ts'
import type { DrawingDeps } from '../drawing/context.ts'
import { formOf, queryOf } from '../drawing/exchanges.ts'
import type { RequestRecord } from '../log/request-log.ts'
import type { Flow } from '../flows/flows.ts'
import { checkClaims } from './claim-checks.ts'
import { jsonOf } from './json-body.ts'
import { knownClaim } from './known-claims.ts'
import type { SecretReveal } from './reveal.ts'

type Claim = NonNullable<DecodedToken['claims']>[number]

const tokenNames = ['access_token', 'refresh_token', 'id_token'] as const
const times = new Set(['exp', 'iat', 'nbf', 'auth_time'])
/** A larger number of seconds is not a date. */
const latestSeconds = 8.64e12

/** Lists the tokens that a response contained. */
export function answeredTokens(
  deps: DrawingDeps,
  flow: Flow | undefined,
  record: RequestRecord,
  reveal: SecretReveal,
): DecodedToken[] {
  const members = jsonOf(record.response.body) ?? {}
  const { access_token: accessToken } = members
  return tokenNames.flatMap((name) => {
    const value = members[name]
    if (typeof value !== 'string') return []
    const token = decode(deps, reveal, { name, value, accessToken })
    const claims = name === 'id_token' ? partsOf(value)[1] : undefined
    return [{ ...token, ...(claims && { checks: checkClaims(deps, flow, record, claims) }) }]
  })
}

/** Lists the tokens that a request sent. */
export function broughtTokens(
  deps: DrawingDeps,
  record: RequestRecord,
  reveal: SecretReveal,
): DecodedToken[] {
  const bearer = /^Bearer +(\S+)$/i.exec(record.request.headers.authorization ?? '')?.[1]
  const brought = [
    ['access_token', bearer ?? formOf(record).get('access_token')],
    ['refresh_token', formOf(record).get('refresh_token')],
    ['id_token_hint', queryOf(record).get('id_token_hint')],
  ] as const
  return brought.flatMap(([name, value]) =>
    typeof value === 'string' ? [decode(deps, reveal, { name, value })] : [],
  )
}

function decode(
  deps: DrawingDeps,
  reveal: SecretReveal,
  { name, value, accessToken }: { name: string; value: string; accessToken?: unknown },
): DecodedToken {
  const shown = { name, ...reveal.show(name, value) }
  // Access tokens look like a JWT and are opaque to clients (RFC 6749 §1.4).
  const isJwt = name.startsWith('id_token')
  const [header, payload] = isJwt ? partsOf(value) : []
  if (header === undefined || payload === undefined) {
    const tokenId = deps.state.tokens.find('token', value)?.id
    return { ...shown, opaque: true, ...omitUndefined({ tokenId }) }
  }
  const { at_hash: claimed } = payload
  return {
    ...shown,
    header: claimsOf(reveal, header),
    claims: claimsOf(reveal, payload),
    signature: checkSignature(deps, value, header),
    ...(typeof claimed === 'string' && typeof accessToken === 'string'
      ? { atHash: compareHash(claimed, accessToken) }
      : {}),
  }
}

/** Returns header and payload of a JWT, as far as they can be read. */
function partsOf(token: string): (Record<string, unknown> | undefined)[] {
  return token.split('.').slice(0, 2).map(readPart)
}

function readPart(part: string): Record<string, unknown> | undefined {
  return jsonOf(Buffer.from(part, 'base64url').toString('utf8'))
}

function claimsOf(reveal: SecretReveal, members: Record<string, unknown>): Claim[] {
  return Object.entries(members).map(([name, value]) => {
    const known = knownClaim(name)
    const shown = typeof value === 'string' ? reveal.show(name, value) : { value }
    const meaning = known === undefined ? undefined : `${known.meaning} (${known.source})`
    const isTime = times.has(name) && typeof value === 'number' && Math.abs(value) < latestSeconds
    return {
      name,
      ...shown,
      value: JSON.stringify(shown.value),
      ...omitUndefined({ meaning }),
      ...(isTime ? { time: isoTime(value * 1000) } : {}),
    }
  })
}

/** Verifies a signature with the published keys of the sandbox (RFC 7515 §5.2). */
function checkSignature(
  { state }: DrawingDeps,
  token: string,
  header: Record<string, unknown>,
): NonNullable<DecodedToken['signature']> {
  const { kid, alg } = header
  const key = typeof kid === 'string' ? state.signingKeys.get(kid) : undefined
  if (alg !== 'RS256') {
    return { valid: false, explanation: `Signed with ${JSON.stringify(alg)} instead of RS256.` }
  }
  if (key === undefined) {
    const explanation = `Unknown key ${JSON.stringify(kid)}: it was rotated away or never existed.`
    return { valid: false, explanation }
  }
  if (!isSignedBy(key, token)) {
    return { valid: false, explanation: `The signature does not match key ${key.id}.` }
  }
  const which = key.retiredAt === undefined ? 'current key' : 'retired key, still published'
  return { valid: true, explanation: `Signature valid (${which} ${key.id}).` }
}

function isSignedBy({ privateJwk: { kty, n, e } }: SigningKey, token: string): boolean {
  const end = token.lastIndexOf('.')
  const key = createPublicKey({
    key: { kty: String(kty), n: String(n), e: String(e) },
    format: 'jwk',
  })
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  return verify('RSA-SHA256', Buffer.from(token.slice(0, end)), key, signature)
}

/** Left half of the SHA-256 hash (OpenID Connect Core §3.1.3.6). */
function compareHash(claimed: string, accessToken: string): NonNullable<DecodedToken['atHash']> {
  const digest = createHash('sha256').update(accessToken, 'ascii').digest()
  const computed = digest.subarray(0, 16).toString('base64url')
  return { claimed, computed, equal: claimed === computed }
}
