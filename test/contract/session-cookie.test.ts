import { beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '../../server/hub/oauth/sessions.ts'
import { testApp } from '../helpers/app.ts'
import { pkce, redirectUri } from '../helpers/oauth-client.ts'
import { mintUserToken } from '../helpers/user-token.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const world = testApp()
const { client } = world
let alice: string
let mallory: string
beforeEach(() => {
  alice = startSession(world.deps, world.users.alice).id
  mallory = startSession(world.deps, world.users.mallory).id
})

const ofBrowser = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }

const nameOf = async (headers: Record<string, string>) =>
  (await client.get('/api/whoami-v2', headers)).json<{ name?: string }>().name

describe('the session cookie', () => {
  test('has the port in its name, so that sandboxes on one host have separate sessions', async () => {
    const [one, two] = [await startTestSandbox(), await startTestSandbox()]
    const jar = []
    for (const [sandbox, user] of [[one, 'alice'] as const, [two, 'bob'] as const]) {
      const { port } = new URL(sandbox.url)
      const cookie = await sandbox.control<{ name: string; value: string }>('POST', 'sessions', {
        user,
      })
      expect(cookie.name).toBe(`hub_sandbox_session_${port}`)
      jar.push(`${cookie.name}=${cookie.value}`)
    }
    const headers = { cookie: jar.join('; '), 'sec-fetch-site': 'none' }
    const names = await Promise.all(
      [one, two].map(async ({ url }) => {
        const answer = await fetch(`${url}/api/whoami-v2`, { headers })
        return ((await answer.json()) as { name: string }).name
      }),
    )
    expect(names).toEqual(['alice', 'bob'])
  })

  test.each(['hub_sandbox_session_7420', 'hub_sandbox_session', 'token'])(
    'is accepted from programs under the name %s',
    async (name) => {
      expect(await nameOf({ cookie: `${name}=${alice}` })).toBe('alice')
    },
  )

  test.each(['hub_sandbox_session', 'token', 'hub_sandbox_session_7421'])(
    'is not accepted from browsers under the name %s, which other apps may set',
    async (name) => {
      const headers = { cookie: `${name}=${mallory}`, ...ofBrowser }
      expect(await nameOf(headers)).toBeUndefined()
      expect((await client.get('/login', headers)).body).not.toContain('signed in as')
    },
  )

  test('of the port takes precedence over the names for programs', async () => {
    const cookie = `token=${mallory}; hub_sandbox_session_7420=${alice}`
    expect(await nameOf({ cookie })).toBe('alice')
  })
})

describe('two cookies with one name, as a page on another port can set one', () => {
  const name = 'hub_sandbox_session_7420'

  const pages = {
    login: () => '/login',
    device: () => '/oauth/device',
    account: () => '/alice',
    consent: () =>
      client.authorizeUrl({ client_id: world.apps.public.id, redirect_uri: redirectUri, ...pkce }),
  }

  test.each(['login', 'device', 'account', 'consent'] as const)(
    'are refused by the page of %s, with the reason and the fix',
    async (page) => {
      const url = pages[page]()
      for (const cookie of [
        `${name}=${mallory}; ${name}=${alice}`,
        `${name}=${alice}; ${name}=${mallory}`,
      ]) {
        const answer = await client.get(url, { cookie, accept: 'text/html', ...ofBrowser })
        expect(answer.statusCode).toBe(400)
        expect(answer.headers['content-type']).toMatch(/^text\/html/)
        expect(answer.body).toContain(`several cookies named ${name}`)
        expect(answer.body).toContain('Clear the cookies of this host')
        expect(answer.body).not.toMatch(/signed in as/)
      }
      expect(world.requests.values().at(-1)).toMatchObject({
        status: 400,
        detail: expect.stringContaining(name),
      })
    },
  )

  test('are refused by the API if nothing else identifies the caller', async () => {
    const cookie = `${name}=${mallory}; ${name}=${alice}`
    const answer = await client.get('/api/whoami-v2', { cookie, ...ofBrowser })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toContain(`several cookies named ${name}`)
    const token = { authorization: `Bearer ${mintUserToken(world, world.users.alice)}` }
    expect(await nameOf({ cookie, ...token })).toBe('alice')
  })

  test('neither sign in nor sign out', async () => {
    const cookie = `${name}=${mallory}; ${name}=${alice}`
    for (const url of ['/login', '/logout']) {
      const answer = await client.postForm(url, { user: 'bob' }, { cookie, ...ofBrowser })
      expect(answer.statusCode).toBe(400)
      expect(answer.headers).not.toHaveProperty('set-cookie')
    }
    expect(world.state.sessions.size).toBe(2)
  })

  test('are refused under the names for programs, too', async () => {
    const cookie = `token=${mallory}; token=${alice}`
    expect((await client.get('/api/whoami-v2', { cookie })).statusCode).toBe(400)
  })
})
