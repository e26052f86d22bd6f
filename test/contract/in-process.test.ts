import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  ControlError,
  type Sandbox,
  SandboxClosedError,
  type SandboxOptions,
  startSandbox,
} from '../../server/index.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  open.push(sandbox)
  return sandbox
}

async function startReceiver(): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(text))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies }
}

async function createWebhook(sandbox: Sandbox, url: string): Promise<void> {
  const answer = await fetch(`${sandbox.url}/api/settings/webhooks`, {
    method: 'POST',
    headers: { Authorization: 'Bearer hf_sandbox_alice', 'Content-Type': 'application/json' },
    body: JSON.stringify({ url, watched: [{ type: 'org', name: 'acme' }] }),
  })
  expect(answer.status).toBe(200)
}

const whoami = async (sandbox: Sandbox, token: string) =>
  (await fetch(`${sandbox.url}/api/whoami-v2`, { headers: { Authorization: `Bearer ${token}` } }))
    .status

describe('startSandbox', () => {
  test('signs in without a browser, and the clock ends the token', async () => {
    const sandbox = await start()
    const token = await sandbox.signIn({ user: 'bob', scope: 'openid profile' })
    expect(token).toMatchObject({
      token_type: 'bearer',
      expires_in: 28_800,
      scope: 'openid profile',
    })
    expect(token.id_token).toBeDefined()
    expect(await whoami(sandbox, token.access_token)).toBe(200)
    await sandbox.clock.advance('8h')
    expect(await whoami(sandbox, token.access_token)).toBe(401)
  })

  test('signs in to an app with a secret', async () => {
    const sandbox = await start()
    const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret !== undefined)
    const token = await sandbox.signIn({ clientId: app?.clientId ?? '', scope: 'openid' })
    expect(await whoami(sandbox, token.access_token)).toBe(200)
  })

  test('names what is wrong with a sign-in', async () => {
    const sandbox = await start()
    await expect(sandbox.signIn({ user: 'nobody' })).rejects.toThrow(/nobody/)
    await expect(sandbox.signIn({ clientId: 'nothing' })).rejects.toThrow(/nothing/)
    await expect(sandbox.signIn({ scope: 'read-everything' })).rejects.toThrow(/read-everything/)
  })

  test('causes events and waits for their delivery, past or to come', async () => {
    const sandbox = await start()
    const receiver = await startReceiver()
    await createWebhook(sandbox, receiver.url)
    const coming = sandbox.waitForDelivery(({ state }) => state === 'succeeded')
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    const delivered = await coming
    expect(delivered.id).toBe(deliveries[0]?.id)
    expect(delivered.attempts).toMatchObject([{ number: 1, source: 'auto', status: 200 }])
    expect(delivered.payload).toEqual(receiver.bodies[0])
    await sandbox.idle()
    const past = await sandbox.waitForDelivery(({ repo }) => repo === 'acme/corpus')
    expect(past.id).toBe(delivered.id)
    await expect(sandbox.waitForDelivery(() => false, { timeoutMs: 50 })).rejects.toThrow(/50 ms/)
  })

  test('approves a device', async () => {
    const sandbox = await start()
    const clientId = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'
    const post = async (path: string, form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: clientId, ...form })
      return (await (await fetch(sandbox.url + path, { method: 'POST', body })).json()) as Record<
        string,
        string
      >
    }
    const device = await post('/oauth/device', {})
    await expect(
      sandbox.approveDevice(device['user_code'] ?? '', { user: 'carol' }),
    ).resolves.toEqual({ status: 'approved' })
    const token = await post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code'] ?? '',
    })
    expect(await whoami(sandbox, token['access_token'] ?? '')).toBe(200)
  })

  test('goes back to the fixtures, to a snapshot, and into a fork that shares nothing', async () => {
    const sandbox = await start()
    const first = await sandbox.signIn()
    const { name } = await sandbox.snapshot('signed-in')
    const fork = await sandbox.fork()
    open.push(fork)
    expect(fork.url).not.toBe(sandbox.url)
    expect(await whoami(fork, first.access_token)).toBe(200)
    const forked = await fork.signIn()
    expect(await whoami(sandbox, forked.access_token)).toBe(401)

    await sandbox.reset()
    expect(await whoami(sandbox, first.access_token)).toBe(401)
    expect(await whoami(fork, first.access_token)).toBe(200)
    await sandbox.restore(name)
    expect(await whoami(sandbox, first.access_token)).toBe(200)
  })

  test('repeats itself with a seed', async () => {
    const tokens = []
    for (let run = 0; run < 2; run++) {
      const sandbox = await start({ seed: 7 })
      await sandbox.clock.freeze()
      await sandbox.clock.set('2026-01-01T00:00:00Z')
      const { keys } = sandbox
      tokens.push([
        (await sandbox.signIn({ scope: 'profile' })).access_token,
        (await keys.list())[0]?.jwk['n'],
      ])
    }
    expect(tokens[0]).toEqual(tokens[1])
  })

  test('refuses as the control API does, with every mistake', async () => {
    const sandbox = await start()
    const refusal = await sandbox
      .trigger({ event: 'repo.nothing', repo: 'acme/corpus' })
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ControlError)
    expect((refusal as ControlError).status).toBe(400)
    expect((refusal as ControlError).message).toContain('repo.nothing')
  })

  test('lets go of everything on close, and again', async () => {
    const sandbox = await startSandbox()
    await sandbox.close()
    await sandbox.close()
    await expect(fetch(`${sandbox.url}/_sandbox/health`)).rejects.toThrow('fetch failed')
  })

  test('says of every call that it comes after close', async () => {
    const sandbox = await startSandbox()
    const calls = callsOf(sandbox)
    await sandbox.close()
    const said = await Promise.all(
      calls.map(async ([name, call]) => [name, await call().catch((error: unknown) => error)]),
    )
    expect(said).toEqual(calls.map(([name]) => [name, new SandboxClosedError(name.slice(0, -2))]))
    expect(said.every(([, error]) => error instanceof SandboxClosedError)).toBe(true)
    const names = calls.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(['trigger()', 'fork()', 'clock.advance()']))
    expect(names.length).toBeGreaterThan(20)
    expect(String(said[0]?.[1])).toMatch(/^SandboxClosedError: the sandbox is closed: /)
    expect(sandbox.fixtures.users[0]?.username).toBe('alice')
  })

  test('answers on close what a barrier holds and what a fault delays', async () => {
    const sandbox = await start()
    await sandbox.barriers.add({ match: { route: '/held' }, count: 1 })
    await sandbox.faults.add({ match: { route: '/delayed' }, delay: '20d', status: 503 })
    const answers = ['/held', '/delayed'].map((path) => fetch(`${sandbox.url}${path}`))
    await vi.waitFor(async () => {
      expect(await sandbox.barriers.list()).toMatchObject([{ held: [expect.any(String)] }])
      expect(await sandbox.faults.list()).toMatchObject([{ hits: 1 }])
    }, 30_000)
    await sandbox.close()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 503])
  })

  test('tells those who wait that it is closed, and waits for none of them', async () => {
    const sandbox = await start()
    await sandbox.clock.freeze()
    // Nobody is there, so a retry waits for the clock.
    await createWebhook(sandbox, 'http://127.0.0.1:9/')
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.waitForDelivery(({ state }) => state === 'waiting')
    const longMs = 600_000
    const waits = [
      sandbox.idle({ timeoutMs: longMs, waiting: true }),
      sandbox.waitForDelivery(({ state }) => state === 'succeeded', { timeoutMs: longMs }),
    ].map((wait) => wait.catch((error: unknown) => error))
    await sandbox.close()
    for (const error of await Promise.all(waits)) expect(error).toBeInstanceOf(SandboxClosedError)
  })
})

/** Every method of a handle by its name, but the one that closes it. */
function callsOf(part: object, owner = ''): [string, () => Promise<unknown>][] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') {
      return name === 'close' ? [] : [[`${owner}${name}()`, async () => value() as unknown]]
    }
    const isGroup = owner === '' && typeof value === 'object' && value !== null
    return isGroup ? callsOf(value, `${name}.`) : []
  })
}
