import { describe, expect, test } from 'vitest'
import { createFormNonces } from '../../../server/oauth/form-nonce.ts'

const key = new Uint8Array(32).fill(7)

describe('nonces of forms (RFC 6819 §4.4.1.9)', () => {
  test('a nonce is accepted once, from its session and for its subject', () => {
    const nonces = createFormNonces(key)
    const nonce = nonces.make('session', 'subject')
    expect(nonces.redeem(nonce, 'other', 'subject')).toBe('foreign')
    expect(nonces.redeem(nonce, 'session', 'other')).toBe('foreign')
    expect(nonces.redeem(nonce, 'session', 'subject')).toBe('genuine')
    expect(nonces.redeem(nonce, 'session', 'subject')).toBe('used')
    expect(nonces.redeem(nonces.make('session', 'subject'), 'session', 'subject')).toBe('genuine')
  })

  test('a nonce cannot be composed of other nonces', () => {
    const nonces = createFormNonces(key)
    const [run, , signature] = nonces.make('session', 'subject').split('.')
    for (const made of [`${run}.2.${signature}`, `${run}.01.${signature}x`, '', 'x', '..']) {
      expect(nonces.redeem(made, 'session', 'subject')).toBe('foreign')
    }
  })

  test('a nonce from before a restart is recognized', () => {
    const nonce = createFormNonces(key).make('session', 'subject')
    const after = createFormNonces(new Uint8Array(32).fill(8))
    expect(after.redeem(nonce, 'session', 'subject')).toBe('restarted')
    expect(after.matches(nonce, 'session', 'subject')).toBe(false)
  })

  test('a used nonce stays used, however many follow', () => {
    const nonces = createFormNonces(key)
    const all = Array.from({ length: 10_001 }, () => nonces.make('session', 'subject'))
    for (const nonce of all) expect(nonces.redeem(nonce, 'session', 'subject')).toBe('genuine')
    expect(nonces.redeem(all[0]!, 'session', 'subject')).toBe('used')
    expect(nonces.redeem(all.at(-1)!, 'session', 'subject')).toBe('used')
  })
})
