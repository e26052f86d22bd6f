import { describe, expect, it } from 'vitest'
import { maskHeader, maskText } from '../../../server/core/mask.ts'

describe('masking', () => {
  it.each([
    ['code=abcdefghijklmnopqrst&state=xyz', 'code=…qrst&state=xyz'],
    ['/callback?code=abcdefghijklmnopqrst', '/callback?code=…qrst'],
    ['grant_type=x&client_secret=short', 'grant_type=x&client_secret=…'],
    ['response_type=code&scope=openid', 'response_type=code&scope=openid'],
    ['encode=abcdefghijklmnop', 'encode=abcdefghijklmnop'],
    [
      '{"access_token": "abcdefghijklmnop", "expires_in": 60}',
      '{"access_token": "…mnop", "expires_in": 60}',
    ],
    ['{"id_token":"abcdefghijklmnopqrstuv', '{"id_token":"…stuv'],
    ['{"password":"a\\"b_cdefghijklmno"}', '{"password":"…lmno"}'],
    ['a hf_sandbox_abcdefghijklmnop b', 'a hf_sandbox_…mnop b'],
    ['see eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl', 'see …dXJl'],
  ])('%s', (text, masked) => {
    expect(maskText(text)).toBe(masked)
  })

  it.each([
    ['Authorization', 'Bearer hf_oauth_sandbox_abcdefghijklmnop', 'Bearer hf_oauth_sandbox_…mnop'],
    ['authorization', 'Basic YWJjOmRlZmdoaWprbG1ub3A=', 'Basic …b3A='],
    ['Cookie', 'a=1234567890123456; theme=x', 'a=…3456; theme=…'],
    ['Set-Cookie', 'session=1234567890123456; Path=/; HttpOnly', 'session=…3456; Path=/; HttpOnly'],
    ['X-Webhook-Secret', 'my very own secret', '…cret'],
    ['Location', 'http://localhost/cb?code=abcdefghijklmnop', 'http://localhost/cb?code=…mnop'],
    ['Accept', 'text/html', 'text/html'],
  ])('%s: %s', (name, value, masked) => {
    expect(maskHeader(name, value)).toBe(masked)
  })
})
