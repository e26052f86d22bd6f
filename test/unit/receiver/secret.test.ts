import { describe, expect, test } from 'vitest'
import { createWebhooks } from '../../../server/receiver/create-webhooks.ts'
import { createSecretGuard } from '../../../server/receiver/secret.ts'

function outcome(
  options: Parameters<typeof createSecretGuard>[0],
  headers: Record<string, string> = {},
  { env = {}, query = '' }: { env?: NodeJS.ProcessEnv; query?: string } = {},
) {
  const request = new Request(`http://localhost/webhooks/x${query}`, { method: 'POST', headers })
  try {
    createSecretGuard(options, env).verify(request)
    return 'accepted'
  } catch (error) {
    const { status, message } = error as { status: number; message: string }
    return `${status} ${message}`
  }
}

const given = (secret: string) => ({ 'x-webhook-secret': secret })

describe('webhook secret', () => {
  test('is also taken as webhook_secret, its name in the Python helper', () => {
    const env = { WEBHOOK_SECRET: 'from-env' }
    expect(outcome({ webhook_secret: 'abc' }, given('abc'), { env })).toBe('accepted')
    expect(outcome({ webhook_secret: 'abc' }, given('from-env'), { env })).toBe(
      '403 Invalid webhook secret.',
    )
    const both = { secret: 'abc', webhook_secret: 'abc' }
    expect(() => createSecretGuard(both, {})).toThrow('pass one of them')
    expect(() => createWebhooks({ webhook_secret: 'abc', autoStart: false })).not.toThrow()
  })

  test('is checked like in the Python helper', () => {
    expect(outcome({ secret: 'abc' }, given('abc'))).toBe('accepted')
    expect(outcome({ secret: 'abc' })).toBe('401 x-webhook-secret header not set.')
    expect(outcome({ secret: 'abc' }, given('abd'))).toBe('403 Invalid webhook secret.')
    expect(outcome({ secret: 'abc' }, given('abcd'))).toBe('403 Invalid webhook secret.')
    expect(outcome({ secret: 'abc' }, given(''))).toBe('403 Invalid webhook secret.')
  })

  test('comes from WEBHOOK_SECRET unless an option sets it', () => {
    const env = { WEBHOOK_SECRET: 'from-env' }
    expect(outcome({}, given('from-env'), { env })).toBe('accepted')
    expect(outcome({ secret: undefined }, given('from-env'), { env })).toBe('accepted')
    expect(outcome({ secret: 'mine' }, given('from-env'), { env })).toBe(
      '403 Invalid webhook secret.',
    )
  })

  test('counts an empty WEBHOOK_SECRET as set, and warns', () => {
    const env = { WEBHOOK_SECRET: '' }
    expect(outcome({}, {}, { env })).toBe('401 x-webhook-secret header not set.')
    expect(outcome({}, given(''), { env })).toBe('accepted')
    expect(createSecretGuard({}, env)).toMatchObject({ open: false, notice: { warning: true } })
  })

  test('may be one of several during a replacement', () => {
    const secret = ['old', 'new']
    expect(outcome({ secret }, given('old'))).toBe('accepted')
    expect(outcome({ secret }, given('new'))).toBe('accepted')
    expect(outcome({ secret }, given('old, new'))).toBe('403 Invalid webhook secret.')
  })

  test('is accepted from the URL only if allowed', () => {
    const query = '?secret=a%20b'
    expect(outcome({ secret: 'a b' }, {}, { query })).toBe('401 x-webhook-secret header not set.')
    expect(outcome({ secret: 'a b', allowQuerySecret: true }, {}, { query })).toBe('accepted')
    expect(outcome({ secret: 'a b', allowQuerySecret: true }, given('x'), { query })).toBe(
      '403 Invalid webhook secret.',
    )
  })

  test('if missing, allows everybody except web pages, with a prominent warning', () => {
    expect(outcome({})).toBe('accepted')
    expect(outcome({}, { origin: 'http://localhost' })).toMatch(/^403 Requests from web pages/)
    expect(outcome({ secret: 'abc' }, { ...given('abc'), origin: 'http://x' })).toBe('accepted')
    const { open, notice } = createSecretGuard({}, {})
    expect(open).toBe(true)
    expect(notice.lines.join(' ')).toMatch(/WARNING.*open to everyone.*WEBHOOK_SECRET/)
  })

  test.each([' abc', 'abc ', 'abc\n', 'schlüssel'])(
    'refuses %j, which cannot be sent',
    (secret) => {
      expect(() => createSecretGuard({ secret }, {})).toThrow(TypeError)
    },
  )

  test('refuses an empty list', () => {
    expect(() => createSecretGuard({ secret: [] }, {})).toThrow('list of webhook secrets is empty')
  })
})
