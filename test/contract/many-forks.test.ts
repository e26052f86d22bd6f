import fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { median } from '../bench/statistics.ts'
import { listeningServers } from '../helpers/listening-servers.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

async function fork(origin: Sandbox): Promise<Sandbox> {
  const sandbox = await origin.fork()
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function read<T>(sandbox: Sandbox, path: string): Promise<T> {
  return (await (await fetch(sandbox.url + path)).json()) as T
}

const keysOf = (sandbox: Sandbox) => read<{ keys: { kid: string }[] }>(sandbox, '/oauth/jwks')

/** Last part of an access token, which follows from the ids alone. */
const signatureOf = (token: string) => token.split('.').at(-1)

describe('a fork', () => {
  test('has only the signing key of its origin; another sandbox has its own', async () => {
    const origin = await startTestSandbox()
    const forks = [await fork(origin), await fork(origin)]
    await origin.signIn({ user: 'alice' })
    const { keys } = await keysOf(origin)
    expect(keys).toHaveLength(1)
    for (const each of forks) {
      await each.signIn({ user: 'alice' })
      expect(await keysOf(each)).toEqual({ keys })
    }
    expect(await keysOf(await startTestSandbox())).not.toEqual({ keys })
  })

  test('and its origin change independently, from the records that they share', async () => {
    const origin = await startTestSandbox()
    const other = await fork(origin)
    const change = (sandbox: Sandbox, fullname: string) =>
      sandbox.control('PATCH', 'users/alice', { fullname })
    const nameIn = async (sandbox: Sandbox) =>
      (await sandbox.control<{ fullname: string }>('GET', 'users/alice')).fullname
    await change(origin, 'Alice of the origin')
    await change(other, 'Alice of the fork')
    const third = await fork(other)
    await third.control('DELETE', 'users/alice')
    expect(await nameIn(origin)).toBe('Alice of the origin')
    expect(await nameIn(other)).toBe('Alice of the fork')
    await other.reset()
    expect(await nameIn(other)).not.toMatch(/of the/)
    expect(await nameIn(origin)).toBe('Alice of the origin')
  })

  test('continues with the clock and the ids of its origin', async () => {
    const origin = await startTestSandbox({ seed: 1 })
    await origin.clock.freeze()
    await origin.clock.advance('3h')
    await origin.signIn({ user: 'alice' })
    const other = await fork(origin)
    const { now, frozen } = await origin.clock.read()
    expect(await other.clock.read()).toMatchObject({ now, frozen })
    const ours = await origin.signIn({ user: 'alice' })
    const theirs = await other.signIn({ user: 'alice' })
    // Their first parts name the issuer, which has another port.
    expect(signatureOf(theirs.access_token)).toBe(signatureOf(ours.access_token))
  })
})

test('a hundred forks at once all respond and close, and leave nothing behind', async () => {
  const warnings: string[] = []
  const note = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`)
  process.on('warning', note)
  const origin = await startTestSandbox()
  const { access_token: token } = await origin.signIn({ user: 'alice' })
  // What the first of all leaves in the process, such as modules, is no part of it.
  await (await origin.fork()).close()
  const listeners = listenersOfProcess()
  const servers = listeningServers()

  const forks = await Promise.all(Array.from({ length: 100 }, () => origin.fork()))
  const answers = await Promise.all(
    forks.map(async (each) => {
      const headers = { authorization: `Bearer ${token}` }
      const { issuer } = await read<{ issuer: string }>(each, '/.well-known/openid-configuration')
      const known = await fetch(`${each.url}/api/whoami-v2`, { headers })
      return { issuer, status: known.status }
    }),
  )
  expect(answers).toEqual(forks.map(({ url }) => ({ issuer: url, status: 200 })))
  expect(new Set(forks.map(({ url }) => url)).size).toBe(100)
  expect(await Promise.all(forks.slice(0, 5).map((each) => each.signIn()))).toHaveLength(5)

  await Promise.all(forks.map((each) => each.close()))
  await expect.poll(listeningServers, { timeout: 30_000 }).toBeLessThanOrEqual(servers)
  expect(listenersOfProcess()).toEqual(listeners)
  process.off('warning', note)
  expect(warnings).toEqual([])
}, 120_000)

function listenersOfProcess(): Record<string, number> {
  const names = process.eventNames().filter((name) => name !== 'warning')
  return Object.fromEntries(names.map((name) => [String(name), process.listenerCount(name)]))
}

describe('CPU time compared with a bare Fastify program of a few routes', () => {
  test.each([
    ['a second sandbox', 14, () => startSandbox()],
    ['a fork', 10, (origin: Sandbox) => origin.fork()],
  ])('%s takes at most %i times as much', async (_, most, make) => {
    const origin = await startTestSandbox()
    const ratios: number[] = []
    // The first rounds are of code that is not warm yet.
    for (let round = 0; round < 12; round++) {
      const bare = await cpuOf(startBare)
      const ours = await cpuOf(async () => (await make(origin)).close())
      if (round >= 3) ratios.push(ours / bare)
    }
    expect(median(ratios)).toBeLessThan(most)
  })

  async function startBare(): Promise<void> {
    const app = fastify()
    for (let index = 0; index < 20; index++) app.get(`/things/${index}/:id`, () => ({ index }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    await app.close()
  }

  /** Microseconds, of all threads: a key that is made in the background counts. */
  async function cpuOf(work: () => Promise<void>): Promise<number> {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
})
