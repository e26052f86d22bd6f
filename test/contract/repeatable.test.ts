import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { type FixturesFile, type Sandbox, startSandbox } from '../../server/index.ts'
import { freePort } from '../helpers/free-port.ts'
import { openServer } from '../helpers/json-receiver.ts'
import { callerAt } from '../helpers/cast.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const usual = JSON.parse(
  readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8'),
) as FixturesFile
const fixtures: FixturesFile = {
  ...usual,
  clock: { now: '2026-03-01T12:00:00Z', frozen: true },
  config: { ...usual.config, seed: 7 },
}

// The issuer is told in ID tokens, and the port in the issuer.
const port = await freePort()

/** Calls it with a sandbox that nobody used before. */
async function withSandbox<T>(play: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox({ fixtures, port })
  try {
    return await play(sandbox)
  } finally {
    await sandbox.close()
  }
}

/** Fails every delivery, at its own pace. */
async function startFailingReceiver(): Promise<string> {
  let count = 0
  const server = await openServer((_request, response) => {
    setTimeout(() => response.writeHead(500).end(), (count++ * 7) % 20)
  })
  open.push(server)
  return server.origin
}

type Play = (sandbox: Sandbox) => Promise<unknown>

/** Actions of a user's test; each returns the ids and tokens it got. */
const plays: Readonly<Record<string, Play>> = {
  async signsInWithAnIdToken(sandbox) {
    const tokens = await sandbox.signIn({ user: 'alice', scope: 'openid profile email' })
    return { tokens, again: await sandbox.signIn({ user: 'bob', scope: 'openid' }) }
  },
  async asksOnADevice(sandbox) {
    const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
    const asked = await post(sandbox, '/oauth/device', { client_id: app?.clientId ?? '' })
    await sandbox.approveDevice(String(asked['user_code']), { user: 'carol' })
    const tokens = await post(sandbox, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(asked['device_code']),
      client_id: app?.clientId ?? '',
    })
    return { asked, tokens }
  },
  async setsOffDeliveriesThatAreTriedAgain(sandbox) {
    const url = await startFailingReceiver()
    await sendAs('alice', sandbox, '/api/settings/webhooks', {
      url,
      watched: [{ type: 'org', name: 'acme' }],
    })
    const caused = []
    for (const event of ['repo.content', 'discussion.create', 'discussion.comment.create']) {
      caused.push(await sandbox.trigger({ event, repo: 'acme/corpus' }))
    }
    await sandbox.idle()
    const commits = await sandbox.control('GET', 'repos/dataset/acme/corpus/commits')
    return { caused, commits, token: await sandbox.control('POST', 'tokens', { user: 'alice' }) }
  },
  async rotatesTheKey(sandbox) {
    const { kid } = await sandbox.keys.rotate({ keepOld: false })
    return { kid, tokens: await sandbox.signIn({ user: 'dave', scope: 'openid' }) }
  },
  async registersAnApp(sandbox) {
    const app = { redirect_uris: ['http://localhost:3000/callback'] }
    return {
      app: await sendAs('alice', sandbox, '/oauth/register', app),
      token: await sandbox.control('POST', 'tokens', { user: 'bob', role: 'read' }),
    }
  },
}

async function sendAs(user: string, sandbox: Sandbox, path: string, json: object) {
  const { status, body } = await callerAt(sandbox, `hf_sandbox_${user}`).post(path, json)
  expect([path, status < 300 ? 'ok' : status]).toEqual([path, 'ok'])
  return body
}

async function post({ url }: Sandbox, path: string, form: Record<string, string>) {
  const answer = await fetch(url + path, { method: 'POST', body: new URLSearchParams(form) })
  expect(answer.ok, `${path} answered ${answer.status}`).toBe(true)
  return (await answer.json()) as Record<string, unknown>
}

const names = Object.keys(plays)
// A rotation outlives the reset after it, so whatever is signed later depends on it.
const namesInAnyOrder = names.filter((name) => name !== 'rotatesTheKey')

/** Each in its turn, with a reset before it as a test kit makes one. */
const playAll = (order: readonly string[]) =>
  withSandbox(async (sandbox) => {
    const came: Record<string, unknown> = {}
    for (const name of order) {
      await sandbox.reset()
      came[name] = await plays[name]?.(sandbox)
    }
    return came
  })

describe('a sandbox with a seed and a frozen clock', () => {
  test('repeats ids, codes, tokens and signatures in two runs', async () => {
    const first = await playAll(names)
    expect(Object.keys(first)).toHaveLength(names.length)
    expect(await playAll(names)).toEqual(first)
  })

  test('repeats them in any order of tests that do not rotate keys', async () => {
    const first = await playAll(namesInAnyOrder)
    expect(await playAll(namesInAnyOrder.toReversed())).toEqual(first)
  })

  test('repeats them in a first test with or without a reset', async () => {
    const fresh = await withSandbox(async (sandbox) => {
      const [name = ''] = names
      return plays[name]?.(sandbox)
    })
    expect(fresh).toEqual((await playAll(names.slice(0, 1)))[names[0] ?? ''])
  })

  test('gives concurrent sign-ins the same tokens in any order', async () => {
    const signIns = (users: readonly string[]) =>
      withSandbox(async (sandbox) => {
        const tokens = await Promise.all(
          users.map(
            async (user) => [user, await sandbox.signIn({ user, scope: 'openid' })] as const,
          ),
        )
        return Object.fromEntries(tokens)
      })
    const users = ['alice', 'bob', 'carol', 'dave']
    const came = await signIns(users)
    expect(new Set(Object.values(came).map((token) => token.access_token)).size).toBe(4)
    expect(await signIns(users.toReversed())).toEqual(came)
  })

  test('gives a fork the same ids, and other seeds other ids', async () => {
    // The rest of it has the issuer, and a fork has a port of its own.
    const token = async (sandbox: Sandbox) =>
      (await sandbox.signIn({ user: 'alice' })).access_token.split('.')[2]
    await withSandbox(async (sandbox) => {
      const first = await token(sandbox)
      const fork = await sandbox.fork()
      open.push(fork)
      const inFork = await token(fork)
      expect(inFork).not.toBe(first)
      expect(await token(sandbox)).toBe(inFork)
      const other = await startSandbox({ fixtures, seed: 8 })
      open.push(other)
      expect(await token(other)).not.toBe(first)
    })
  })
})
