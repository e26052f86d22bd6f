import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskHeader, maskText } from '../../../server/core/mask.ts'
import { equalSecrets, maskSecret } from '../../../server/core/secrets.ts'

const token = 'hf_oauth_sandbox_AbCdEfGhIjKlMnOpQrStUvWxYz012345'

describe('secrets', () => {
  test('are equal when every character is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(equalSecrets(one, one)).toBe(true)
        expect(equalSecrets(one, other)).toBe(one === other)
      }),
    )
  })

  test('are shown by prefix and last four characters', () => {
    expect(maskSecret(token)).toBe('hf_oauth_sandbox_…2345')
    expect(maskSecret('hf_sandboxAbCdEfGhIjKlMnOpQrStUvWxYz0')).toBe('hf_sandbox…xYz0')
    expect(maskSecret('correct horse')).toBe('…orse')
    expect(maskSecret('sandboxes of a real password')).toBe('…word')
  })

  test('are shown by their ends where they are short and made for the sandbox, else not at all', () => {
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
  ])('hides the value in %s', (text) => {
    const masked = maskText(text)
    expect(masked).not.toContain(secret)
    expect(masked).toContain('…')
  })

  test('hides tokens and signed JWTs wherever they stand, whole or cut off', () => {
    const text = `Bearer ${token} and ${header}.${payload}.${signature} in a sentence`
    const masked = maskText(text)
    expect(masked).not.toContain(token.slice(0, 30))
    expect(masked).not.toContain(payload)
    expect(maskText(`{"access_token":"${secret}`)).not.toContain(secret)
  })

  test('leaves everything else as it is', () => {
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
  ])('hides the secret part of the header %s', (name, value, masked) => {
    expect(maskHeader(name, value)).toBe(masked)
  })
})
