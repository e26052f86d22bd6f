import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkCodeChallenge, verifyCodeChallenge } from '../../../../server/hub/oauth/pkce.ts'

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

describe('PKCE (RFC 7636)', () => {
  // Appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

  test('the example of the RFC is accepted', () => {
    expect(() =>
      checkCodeChallenge({ code_challenge: challenge, code_challenge_method: 'S256' }, true),
    ).not.toThrow()
    expect(() => verifyCodeChallenge(challenge, verifier)).not.toThrow()
  })

  test('PKCE may be left out where it is not required', () => {
    expect(() => checkCodeChallenge({}, false)).not.toThrow()
    expect(() => verifyCodeChallenge(undefined, undefined)).not.toThrow()
  })

  test.each([
    [{}, true, /must use PKCE/],
    [{ code_challenge_method: 'S256' }, false, /without code_challenge/],
    [{ code_challenge: challenge }, false, /means "plain"/],
    [{ code_challenge: challenge, code_challenge_method: 'plain' }, false, /not supported/],
    [{ code_challenge: challenge, code_challenge_method: 's256' }, false, /not supported/],
    [{ code_challenge: `${challenge}=`, code_challenge_method: 'S256' }, false, /43 base64url/],
    [{ code_challenge: challenge.slice(1), code_challenge_method: 'S256' }, false, /43 base64url/],
    [{ code_challenge: `${challenge.slice(1)}+`, code_challenge_method: 'S256' }, true, /43/],
  ])('the request %j is refused (§4.3)', (request, required, message) => {
    expect(() => checkCodeChallenge(request, required)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }),
    )
  })

  test.each([
    ['missing', challenge, undefined, 'invalid_grant'],
    ['not expected', undefined, verifier, 'invalid_grant'],
    ['wrong', challenge, `${verifier.slice(1)}x`, 'invalid_grant'],
    ['the challenge itself', challenge, challenge, 'invalid_grant'],
    ['too short', challenge, 'x'.repeat(42), 'invalid_request'],
    ['too long', challenge, 'x'.repeat(129), 'invalid_request'],
    ['of other characters', challenge, 'ü'.repeat(43), 'invalid_request'],
  ])('a verifier that is %s is refused (§4.6)', (_name, expected, given, code) => {
    expect(() => verifyCodeChallenge(expected, given)).toThrow(expect.objectContaining({ code }))
  })

  const unreserved = fc.string({
    minLength: 43,
    maxLength: 128,
    unit: fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '.', '_', '~'),
  })

  test('every valid verifier matches its own challenge and no other', () => {
    fc.assert(
      fc.property(unreserved, unreserved, (one, other) => {
        fc.pre(one !== other)
        expect(() => verifyCodeChallenge(challengeOf(one), one)).not.toThrow()
        expect(() => verifyCodeChallenge(challengeOf(one), other)).toThrow('does not match')
      }),
    )
  })
})
