import { type KeyObject, sign } from 'node:crypto'

/** What a signature says of itself (RFC 7515 §4.1), in the order in which it is written. */
export interface JwsHeader {
  alg: 'RS256'
  kid: string
  typ: 'JWT'
}

/**
 * Signs claims as a compact JWS, letter for letter what jose makes of them.
 *
 * At once and on this thread: Web Crypto, which jose signs by, hands each signature to another one, and that costs a
 * fifth on top of a signature of 0.4 ms.
 * @see RFC 7515 §7.1, RFC 7518 §3.3
 */
export function signCompact(
  header: JwsHeader,
  claims: Readonly<Record<string, unknown>>,
  key: KeyObject,
): string {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
