import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'

/** RFC 7636 §4.1, §4.2: 43 to 128 unreserved characters. */
const unreserved = /^[A-Za-z0-9\-._~]{43,128}$/

/**
 * Checks the challenge of an authorization request.
 * @param required whether the client must use PKCE (public clients; RFC 9700 §2.1.1)
 * @throws {Refusal} `invalid_request` when it is required but missing, malformed, or not S256
 * @see RFC 7636 §4.3, §4.4.1
 */
export function checkCodeChallenge(
  request: { code_challenge?: string; code_challenge_method?: string },
  required: boolean,
): void {
  const { code_challenge: challenge, code_challenge_method: method } = request
  if (challenge === undefined) {
    if (method !== undefined) {
      throw new Refusal('invalid_request', 'code_challenge_method was sent without code_challenge.')
    }
    if (required) {
      throw new Refusal(
        'invalid_request',
        'A public app must use PKCE: send code_challenge and code_challenge_method=S256.',
      )
    }
    return
  }
  if (method !== 'S256') {
    throw new Refusal(
      'invalid_request',
      method === undefined
        ? 'code_challenge_method is missing, which means "plain" (RFC 7636); only S256 is supported.'
        : `code_challenge_method ${JSON.stringify(method)} is not supported; use S256.`,
    )
  }
  if (!/^[A-Za-z0-9\-_]{43}$/.test(challenge)) {
    throw new Refusal(
      'invalid_request',
      'code_challenge must be the 43 base64url characters of a SHA-256 hash, without padding.',
    )
  }
}

/**
 * Checks the verifier of a token request against the challenge of the authorization request.
 * @throws {Refusal} `invalid_request` when malformed; `invalid_grant` when missing, unexpected, or wrong
 * @see RFC 7636 §4.6, RFC 9700 §4.8.2 (a verifier without a challenge is a downgrade)
 */
export function verifyCodeChallenge(
  challenge: string | undefined,
  verifier: string | undefined,
): void {
  if (challenge === undefined) {
    if (verifier === undefined) return
    throw new Refusal(
      'invalid_grant',
      'code_verifier was sent, but the authorization request had no code_challenge.',
    )
  }
  if (verifier === undefined) {
    throw new Refusal(
      'invalid_grant',
      'code_verifier is missing: the authorization request had a code_challenge.',
    )
  }
  if (!unreserved.test(verifier)) {
    throw new Refusal(
      'invalid_request',
      'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~',
    )
  }
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) {
    throw new Refusal(
      'invalid_grant',
      'code_verifier does not match the code_challenge of the authorization request.',
    )
  }
}
