import { createPrivateKey } from 'node:crypto'
import * as fc from 'fast-check'
import { importJWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { signCompact } from '../../../server/oauth/compact-jws.ts'
import { sharedPrivateJwk } from '../../helpers/deps.ts'

const claims = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())

test('RFC 7515 §7.1, RFC 7518 §3.3: any claims are signed to the letter as jose signs them', async () => {
  const jwk = await sharedPrivateJwk()
  const header = { alg: 'RS256', kid: 'the-key', typ: 'JWT' } as const
  const ofJose = await importJWK(jwk, 'RS256')
  const ofNode = createPrivateKey({ format: 'jwk', key: jwk })
  await fc.assert(
    fc.asyncProperty(claims, async (payload) => {
      const expected = await new SignJWT(payload).setProtectedHeader(header).sign(ofJose)
      expect(signCompact(header, payload, ofNode)).toBe(expected)
    }),
  )
})
