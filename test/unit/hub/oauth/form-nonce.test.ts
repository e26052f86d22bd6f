import { describe, expect, test } from 'vitest'
import { createFormNonces, type TakenForm } from '../../../../server/hub/oauth/form-nonce.ts'

const key = new Uint8Array(32).fill(7)
const alice = { sessionId: 'session', userId: 'alice' }

const outcomeOf = async (taken: TakenForm) =>
  taken.kind === 'used' ? 'used' : `${taken.kind} ${await taken.outcome}`

describe('nonces of forms (RFC 6819 §4.4.1.9)', () => {
  test('a nonce is genuine for its session and its subject only', () => {
    const nonces = createFormNonces(key)
    const nonce = nonces.make(alice, 'subject')
    expect(nonces.check(nonce, alice, 'subject')).toBe('genuine')
    expect(nonces.check(nonce, alice, 'other')).toBe('foreign')
    expect(nonces.check(nonce, { ...alice, sessionId: 'later' }, 'subject')).toBe('other session')
    const bob = { sessionId: 'his', userId: 'bob' }
    expect(nonces.check(nonce, bob, 'subject')).toBe('other user')
    expect(nonces.check(nonce, bob, 'other')).toBe('foreign')
    expect(nonces.make(alice, 'subject')).not.toBe(nonce)
  })

  test('a nonce cannot be composed of other nonces', () => {
    const nonces = createFormNonces(key)
    const [run, , user, session, signature] = nonces.make(alice, 'subject').split('.')
    const [, , other] = nonces.make({ ...alice, userId: 'bob' }, 'subject').split('.')
    for (const made of [
      `${run}.2.${user}.${session}.${signature}`,
      `${run}.01.${user}.${session}.${signature}x`,
      `${run}.1.${other}.${session}.${signature}`,
      '',
      'x',
      '....',
    ]) {
      expect(nonces.check(made, alice, 'subject')).toBe('foreign')
    }
  })

  test('a nonce from before a restart is recognized', () => {
    const nonce = createFormNonces(key).make(alice, 'subject')
    const after = createFormNonces(new Uint8Array(32).fill(8))
    expect(after.check(nonce, alice, 'subject')).toBe('restarted')
  })

  test('an equal form gets the outcome of the first, and another answer nothing', async () => {
    const nonces = createFormNonces(key)
    const nonce = nonces.make(alice, 'subject')
    let times = 0
    const take = async () => `outcome ${(times += 1)}`
    const first = nonces.take(nonce, 'yes', take)
    // The second click comes before the first is answered.
    const second = nonces.take(nonce, 'yes', take)
    expect(await outcomeOf(first)).toBe('first outcome 1')
    expect(await outcomeOf(second)).toBe('repeated outcome 1')
    expect(nonces.take(nonce, 'no', take).kind).toBe('used')
    expect(times).toBe(1)
  })

  test('a failed attempt takes nothing', async () => {
    const nonces = createFormNonces(key)
    const nonce = nonces.make(alice, 'subject')
    const failed = nonces.take(nonce, 'yes', async () => {
      throw new Error('not today')
    })
    await expect(outcomeOf(failed)).rejects.toThrow('not today')
    expect(await outcomeOf(nonces.take(nonce, 'no', async () => 'done'))).toBe('first done')
  })

  test('a used nonce stays used, however many follow', async () => {
    const nonces = createFormNonces(key)
    const all = Array.from({ length: 10_001 }, () => nonces.make(alice, 'subject'))
    const take = async () => 'done'
    for (const nonce of all) expect(nonces.take(nonce, 'yes', take).kind).toBe('first')
    expect(nonces.take(all[0]!, 'yes', take).kind).toBe('used')
    expect(nonces.take(all.at(-1)!, 'yes', take).kind).toBe('repeated')
  })

  test('a seal holds for its session and subject only, and is the same each time', () => {
    const nonces = createFormNonces(key)
    const seal = nonces.seal('session', 'subject')
    expect(nonces.seal('session', 'subject')).toBe(seal)
    expect(nonces.isSeal(seal, 'session', 'subject')).toBe(true)
    for (const [given, session, subject] of [
      [seal, 'other', 'subject'],
      [seal, 'session', 'other'],
      [undefined, 'session', 'subject'],
      ['', 'session', 'subject'],
    ] as const) {
      expect(nonces.isSeal(given, session, subject)).toBe(false)
    }
  })
})
