import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskHeader, maskText } from '../../../server/core/mask.ts'
import { equalSecrets, maskSecret } from '../../../server/core/secrets.ts'

const token = 'hf_oauth_sandbox_AbCdEfGhIjKlMnOpQrStUvWxYz012345'

describe('secrets', () => {
  test('secrets are equal when every character is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(equalSecrets(one, one)).toBe(true)
        expect(equalSecrets(one, other)).toBe(one === other)
      }),
    )
  })

  test('a secret is shown by its prefix and last four characters', () => {
    expect(maskSecret(token)).toBe('hf_oauth_sandbox_…2345')
    expect(maskSecret('hf_sandboxAbCdEfGhIjKlMnOpQrStUvWxYz0')).toBe('hf_sandbox…xYz0')
    expect(maskSecret('correct horse')).toBe('…orse')
    expect(maskSecret('sandboxes of a real password')).toBe('…word')
  })

  test('a short secret is shown by its ends if it is a sandbox token, else not at all', () => {
    expect(maskSecret('hf_sandbox_alice')).toBe('hf_sandbox_a…e')
    expect(maskSecret('hf_sandbox_bob')).toBe('hf_sandbox_b…b')
    expect(maskSecret('hf_sandbox_me')).toBe('hf_sandbox_…')
    expect(maskSecret('hf_short')).toBe('hf_…')
    expect(maskSecret('hunter2')).toBe('…')
    expect(maskSecret('')).toBe('…')
  })
})

describe('masking of text', () => {
  const secret = 'S3cr3tS3cr3tS3cr3t'
  const [header, payload, signature] = ['eyJhbGciOiJSUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl']

  test.each([
    `/oauth/callback?code=${secret}&state=1`,
    `grant_type=refresh_token&refresh_token=${secret}`,
    `client_secret=${secret}`,
    `{"access_token":"${secret}","token_type":"bearer"}`,
    `{"device_code" : "${secret}"`,
    `{"password":"${secret}\\"and more"}`,
    `name=x&password=${secret}`,
  ])('the value in %s is masked', (text) => {
    const masked = maskText(text)
    expect(masked).not.toContain(secret)
    expect(masked).toContain('…')
  })

  test('tokens and signed JWTs are masked anywhere, whole or truncated', () => {
    const text = `Bearer ${token} and ${header}.${payload}.${signature} in a sentence`
    const masked = maskText(text)
    expect(masked).not.toContain(token.slice(0, 30))
    expect(masked).not.toContain(payload)
    expect(maskText(`{"access_token":"${secret}`)).not.toContain(secret)
  })

  test('other text is unchanged', () => {
    const text = 'grant_type=authorization_code&scope=openid&state=abc {"token_type":"bearer"}'
    expect(maskText(text)).toBe(text)
  })

  test.each([
    ['Authorization', `Bearer ${secret}`, 'Bearer …cr3t'],
    ['authorization', `Basic ${secret}`, 'Basic …cr3t'],
    ['Cookie', `a=${secret}; token=${secret}`, 'a=…cr3t; token=…cr3t'],
    ['Set-Cookie', `s=${secret}; Path=/`, 's=…cr3t; Path=/'],
    ['X-Webhook-Secret', secret, '…cr3t'],
    ['Location', `/cb?code=${secret}`, '/cb?code=…cr3t'],
    ['Accept', '*/*', '*/*'],
  ])('the secret part of the header %s is masked', (name, value, masked) => {
    expect(maskHeader(name, value)).toBe(masked)
  })
})
