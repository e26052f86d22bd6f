import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { type SandboxOptions, startSandbox } from '../../server/index.ts'
import { freePort } from '../helpers/free-port.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const now = '2026-02-03T04:05:06.000Z'

describe('the clock option of startSandbox', () => {
  test('starts the clock at that time and keeps the default users, after a reset as well', async () => {
    const sandbox = await startTestSandbox({ clock: { now, frozen: true } })
    expect(await sandbox.clock.read()).toMatchObject({ now, frozen: true })
    expect(sandbox.fixtures.users.map(({ username }) => username)).toContain('alice')
    await sandbox.clock.advance('8h')
    await sandbox.reset()
    expect(await sandbox.clock.read()).toMatchObject({ now, frozen: true })
  })

  test('accepts a Date, and overrides the clock of the fixtures member by member', async () => {
    const fixtures = { users: [{ username: 'zoe' }], clock: { now: '2026-05-05', frozen: true } }
    const sandbox = await startTestSandbox({ fixtures, clock: { now: new Date(now) } })
    expect(await sandbox.clock.read()).toMatchObject({ now, frozen: true })
    expect(sandbox.fixtures.users.map(({ username }) => username)).toEqual(['zoe'])
  })

  test('dates objects of the fixtures no later than an early clock', async () => {
    const fixtures = { users: [{ username: 'zoe' }] }
    const sandbox = await startTestSandbox({ fixtures, clock: { now: '2020-01-01T00:00:00Z' } })
    expect(sandbox.fixtures.users[0]?.createdAt).toBe('2020-01-01T00:00:00.000Z')
  })

  test('gives two runs with the same seed the same tokens', async () => {
    const port = await freePort()
    const run = async () => {
      const sandbox = await startSandbox({ seed: 7, port, clock: { now, frozen: true } })
      try {
        return await sandbox.signIn({ user: 'alice', scope: 'openid' })
      } finally {
        await sandbox.close()
      }
    }
    const first = await run()
    expect(await run()).toEqual(first)
    expect(decodeJwt(first.id_token!).iat).toBe(Date.parse(now) / 1000)
  })

  test.each<[unknown, string]>([
    ['2026-01-01', 'clock: must be an object such as'],
    [{ now: 'yesterday' }, 'clock.now'],
    [{ now, stopped: true }, 'clock.stopped'],
    [{ frozen: 'yes' }, 'clock.frozen'],
  ])('refuses %j and names the mistake', async (clock, message) => {
    await expect(startSandbox({ clock } as SandboxOptions)).rejects.toThrow(message)
  })

  test('refuses an invalid Date', async () => {
    await expect(startSandbox({ clock: { now: new Date('x') } })).rejects.toThrow('clock.now takes')
  })
})

test('ID tokens of a clock in the past expire after config.lifetimes.idToken', async () => {
  const sandbox = await startTestSandbox({
    clock: { now, frozen: true },
    fixtures: {
      users: [{ username: 'zoe' }],
      apps: [{ name: 'App', redirectUris: ['http://localhost/callback'] }],
      config: { lifetimes: { idToken: '3650d' } },
    },
  })
  const { id_token: idToken } = await sandbox.signIn({ user: 'zoe', scope: 'openid' })
  expect(decodeJwt(idToken!).exp).toBeGreaterThan(Date.now() / 1000)
})
