import { describe, expect, test } from 'vitest'
import { maskHeader, maskText } from '../../../server/core/mask.ts'

describe('masking', () => {
  test.each([
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
    ['at a.eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl.', 'at a.…dXJl.'],
    [
      'a hf_oauth_sandbox_eyJhbGciOiJFZERTQSJ9.eyJz-WIiOiJ4In0.c2ln-mF0_XJl.',
      'a hf_oauth_sandbox_…_XJl.',
    ],
    ['x-hf_oauth_sandbox_eyJhbGciOiJFZERTQSJ9.eyJz-WIiOiJ4In0', 'x-hf_oauth_sandbox_…4In0'],
    ['hf_oauth_eyJhbGciOiJFZERTQSJ9.eyJz', 'hf_oauth_…eyJz'],
    ['/%3Dhf_jwt_eyJhbGciOiJFZERTQSJ9.e-J9.c2ln-mF0', '/%3Dhf_…-mF0'],
    ['a hf_sandboxabcdefghijklmnop b', 'a hf_sandbox…mnop b'],
    // Masked by its name first: its form is not masked again.
    [
      '{"access_token":"hf_oauth_sandbox_abcdefghijklmnop"}',
      '{"access_token":"hf_oauth_sandbox_…mnop"}',
    ],
    ['token=hf_sandbox_abcdefghijklmnop', 'token=hf_sandbox_…mnop'],
    ['token=hf_sandbox_alice', 'token=hf_sandbox_a…e'],
    ['/?CLIENT_SECRET=abcdefghijklmnop', '/?CLIENT_SECRET=…mnop'],
    ['{"Password":"abcdefghijklmnop"}', '{"Password":"…mnop"}'],
    ['{"accessToken":"abcdefghijklmnop"}', '{"accessToken":"…mnop"}'],
    ['/cb#access_token=abcdefghijklmnop', '/cb#access_token=…mnop'],
    [
      '{"secrets":{"KEY":"abcdefghijklmnop","a: ":"x\\"_abcdefghijkl"},"environment":{"A":"as it is"},"labels":{"A":"as it is"}}',
      '{"secrets":{"KEY":"…mnop","a: ":"…ijkl"},"environment":{"A":"…"},"labels":{"A":"as it is"}}',
    ],
    ['{"DB_PASSWORD":"abcdefghijklmnop"}', '{"DB_PASSWORD":"…mnop"}'],
    [
      '?stripe-api-key=abcdefghijklmnop&token_type=bearer',
      '?stripe-api-key=…mnop&token_type=bearer',
    ],
    ['https://abcdefghijklmnop@host/x', 'https://…mnop@host/x'],
    ["https://bob:it's-a-long-one@host/x", 'https://bob:…-one@host/x'],
    ['x -----BEGIN PRIVATE KEY-----\nabcdefgh\n-----END PRIVATE KEY----- y', 'x …---- y'],
    ['{"secrets" : { "KEY" : "abcdefghijklmnopqr', '{"secrets" : {"KEY" : "…opqr'],
    ['"https://bob:p@ss-word-and-more@host/x"', '"https://bob:…more@host/x"'],
    ['"http://localhost:8000/a@b"', '"http://localhost:8000/a@b"'],
    ['/login?next=%2Fhf_sandbox_abcdefghijklmnop', '/login?next=%2Fhf_sandbox_…mnop'],
    ['next=%2Fcb%3Fcode%3Dabcdefghijklmnopqrst%26x%3D1', 'next=%2Fcb%3Fcode%3D…qrst%26x%3D1'],
    ['next=%3Djwt%20eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl', 'next=%3Djwt%20…dXJl'],
    ['u=https%3A%2F%2Fbob%3Aabcdefghijklmnop%40host', 'u=https%3A%2F%2Fbob%3A…mnop%40host'],
  ])('%s', (text, masked) => {
    expect(maskText(text)).toBe(masked)
  })

  test.each([
    ['Authorization', 'Bearer hf_oauth_sandbox_abcdefghijklmnop', 'Bearer hf_oauth_sandbox_…mnop'],
    ['Authorization', 'hf_oauth_sandbox_abcdefghijklmnop', 'hf_oauth_sandbox_…mnop'],
    ['Proxy-Authorization', 'abcdefghijklmnop', '…mnop'],
    ['X-Api-Key', 'abcdefghijklmnop', '…mnop'],
    ['authorization', 'Basic YWJjOmRlZmdoaWprbG1ub3A=', 'Basic …b3A='],
    ['Cookie', 'a=1234567890123456; theme=x', 'a=…3456; theme=…'],
    ['Set-Cookie', 'session=1234567890123456; Path=/; HttpOnly', 'session=…3456; Path=/; HttpOnly'],
    ['X-Webhook-Secret', 'my very own secret', '…cret'],
    ['Location', 'http://localhost/cb?code=abcdefghijklmnop', 'http://localhost/cb?code=…mnop'],
    ['Accept', 'text/html', 'text/html'],
  ])('%s: %s', (name, value, masked) => {
    expect(maskHeader(name, value)).toBe(masked)
  })

  // A rule that reads the same text again and again takes minutes.
  test.each([
    'eyJ-',
    'eyJ.',
    'a.eyJ',
    '-',
    '"secret":"',
    '"secrets":{',
    '"secrets":{"a":"b"',
    '"token"   ',
    '://a:',
    '://a',
    '%3A%2F%2F%3A',
    '%3A%2F%2Fa',
    'hf_',
    'hf_a-',
    'hf_oauth_eyJa',
    '-hf_oauth_eyJ',
    'code=',
    'a_token_',
    '?a.token',
    '-----BEGIN PRIVATE KEY',
    '://a_long_user_name',
    '%3Fcode%3D',
    '\\"',
  ])('takes time in proportion to the text: %s', (part) => {
    const started = process.cpuUsage()
    maskText(part.repeat(1_048_576 / part.length))
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })
})
