import { createHash, createHmac, createPublicKey, createVerify, type JsonWebKey } from 'node:crypto'
import type { Mistake } from './mistakes.ts'

/** What an app expects of an ID token. */
export interface Expected {
  issuer: string
  clientId: string
  /** Absent for the ID token of a refresh. */
  nonce?: string
  /** Absent for the first ID token. */
  subject?: string
  accessToken: string | undefined
  makes: (mistake: Mistake) => boolean
  readKeys: (again: boolean) => Promise<readonly Key[]>
}

export type Key = JsonWebKey & { kid?: string }
type Members = Readonly<Record<string, unknown>>

/**
 * Verifies an ID token by the rules of OpenID Connect Core §3.1.3.7.
 * @returns its claims
 * @throws {Error} with the reason
 */
export async function verifyIdToken(idToken: unknown, expected: Expected): Promise<Members> {
  const [head = '', body = '', signature = '', ...rest] = String(idToken).split('.')
  if (rest.length > 0 || body === '') throw new Error('The ID token is no JWT.')
  const header = decode(head)
  await verifySignature(`${head}.${body}`, signature, header, expected)
  const claims = decode(body)
  checkClaims(claims, expected)
  return claims
}

async function verifySignature(
  input: string,
  signature: string,
  header: Members,
  { makes, readKeys }: Expected,
): Promise<void> {
  const { alg, kid, jwk, jku, x5u } = header
  if (makes('no-signature-check')) return
  if (typeof jku === 'string' && makes('fetches-named-keys')) await fetch(jku)
  if (typeof x5u === 'string' && makes('fetches-named-certificate')) await fetch(x5u)
  if (alg === 'HS256' && makes('takes-hmac')) {
    const [key] = await readKeys(true)
    const secret = createPublicKey({ key: { ...key }, format: 'jwk' })
    const pem = secret.export({ type: 'spki', format: 'pem' })
    if (createHmac('sha256', pem).update(input).digest('base64url') === signature) return
  }
  if (alg !== 'RS256') throw new Error('The algorithm of the ID token is not RS256.')
  const fits = (key: Key) =>
    createVerify('RSA-SHA256')
      .update(input)
      .verify({ key: { ...key }, format: 'jwk' }, signature, 'base64url')
  if (jwk !== undefined && makes('trusts-key-in-header') && fits(jwk as Key)) return
  if (kid === undefined) return verifyWithoutName(await readKeys(true), fits, makes)
  const find = (keys: readonly Key[]) => keys.find((key) => key.kid === kid)
  let key = find(await readKeys(false))
  const reads = makes('reads-keys-often') ? 5 : 1
  for (let read = 0; read < reads && key === undefined; read += 1) key = find(await readKeys(true))
  if (key === undefined || !fits(key)) throw new Error('The signature is invalid.')
}

function verifyWithoutName(
  keys: readonly Key[],
  fits: (key: Key) => boolean,
  makes: Expected['makes'],
): void {
  if (keys.length > 1 && makes('breaks-at-two-keys')) throw new TypeError('unexpected')
  const [key] = keys
  if (keys.length !== 1 || key === undefined || makes('requires-key-name') || !fits(key)) {
    throw new Error('The ID token does not name its key.')
  }
}

function checkClaims(claims: Members, { makes, ...expected }: Expected): void {
  const { iss, aud, azp, sub, iat, exp, nonce, at_hash: hash } = claims
  const check = (isRight: boolean, name: string) => {
    if (!isRight) throw new Error(`The ID token has a wrong ${name}.`)
  }
  if (!makes('no-issuer-check')) check(iss === expected.issuer, 'iss')
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (!makes('no-audience-check')) check(audiences.includes(expected.clientId), 'aud')
  if (!makes('trusts-second-audience')) {
    check(audiences.length === 1, 'aud')
    check(azp === undefined || azp === expected.clientId, 'azp')
  }
  if (!makes('no-subject-check')) check(typeof sub === 'string', 'sub')
  if (!makes('no-issue-time-check')) check(typeof iat === 'number', 'iat')
  const isOptional = makes('optional-expiry') || makes('no-expiry-check')
  check(typeof exp === 'number' || isOptional, 'exp')
  const now = Date.now() / 1000
  if (!makes('no-expiry-check')) check(typeof exp !== 'number' || exp > now - 60, 'exp')
  if (expected.nonce !== undefined && !makes('no-nonce-check')) {
    const mayLack = makes('optional-nonce') && nonce === undefined
    check(nonce === expected.nonce || mayLack, 'nonce')
  }
  if (expected.subject !== undefined) check(sub === expected.subject, 'sub')
  if (makes('no-hash-check') || hash === undefined || expected.accessToken === undefined) return
  const digest = createHash('sha256').update(expected.accessToken).digest()
  check(hash === digest.subarray(0, 16).toString('base64url'), 'at_hash')
}

function decode(part: string): Members {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Members
  } catch {
    throw new Error('The ID token is no JWT.')
  }
}
