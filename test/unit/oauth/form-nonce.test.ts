import { describe, expect, test } from 'vitest'
import { createFormNonces } from '../../../server/oauth/form-nonce.ts'

const key = new Uint8Array(32).fill(7)

describe('nonces of forms (RFC 6819 §4.4.1.9)', () => {
  test('are redeemed once, by their session and subject alone', () => {
    const nonces = createFormNonces(key)
    const nonce = nonces.make('session', 'subject')
    expect(nonces.redeem(nonce, 'other', 'subject')).toBe('foreign')
    expect(nonces.redeem(nonce, 'session', 'other')).toBe('foreign')
    expect(nonces.redeem(nonce, 'session', 'subject')).toBe('genuine')
    expect(nonces.redeem(nonce, 'session', 'subject')).toBe('used')
    expect(nonces.redeem(nonces.make('session', 'subject'), 'session', 'subject')).toBe('genuine')
  })

  test('cannot be made up from others', () => {
    const nonces = createFormNonces(key)
    const [run, , signature] = nonces.make('session', 'subject').split('.')
    for (const made of [`${run}.2.${signature}`, `${run}.01.${signature}x`, '', 'x', '..']) {
      expect(nonces.redeem(made, 'session', 'subject')).toBe('foreign')
    }
  })

  test('tell when the sandbox has started anew since', () => {
    const nonce = createFormNonces(key).make('session', 'subject')
    const after = createFormNonces(new Uint8Array(32).fill(8))
    expect(after.redeem(nonce, 'session', 'subject')).toBe('restarted')
    expect(after.matches(nonce, 'session', 'subject')).toBe(false)
  })

  test('stay used, however many come after', () => {
    const nonces = createFormNonces(key)
    const all = Array.from({ length: 10_001 }, () => nonces.make('session', 'subject'))
    for (const nonce of all) expect(nonces.redeem(nonce, 'session', 'subject')).toBe('genuine')
    expect(nonces.redeem(all[0]!, 'session', 'subject')).toBe('used')
    expect(nonces.redeem(all.at(-1)!, 'session', 'subject')).toBe('used')
  })
})
