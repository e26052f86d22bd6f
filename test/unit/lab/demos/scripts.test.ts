import { describe, expect, test } from 'vitest'
import { deviceCodeGrant } from '../../../../server/contract/words/oauth-words.ts'
import { createIds, seededBytes } from '../../../../server/core/ids.ts'
import type { Cast } from '../../../../server/lab/demos/cast.ts'
import { createBrowser } from '../../../../server/lab/demos/demo-browser.ts'
import type { Message, Reply, Scene, Script } from '../../../../server/lab/demos/scene.ts'
import { scriptOf } from '../../../../server/lab/demos/script.ts'
import { limitRounds } from '../../../helpers/limit-rounds.ts'

const user = {
  username: 'alice',
  email: 'alice@example.com',
  emailVerified: true,
  hasPassword: false,
}
const app = {
  clientId: 'app',
  name: 'App',
  redirectUris: ['http://localhost/callback'],
  scopes: ['openid'],
  mayExchange: false,
}
const cast: Cast = { users: [user], apps: [app], organizations: [] }

/** A scene under a clock that only waiting moves, where the hub answers as it is told. */
function createScene(answer: (message: Message) => Partial<Reply>, changes: Partial<Scene> = {}) {
  let now = 0
  const sent: Message[] = []
  const waited: number[] = []
  const scene: Scene = {
    url: 'http://localhost:7420',
    issuer: 'http://localhost:7420',
    announcesIss: false,
    cast,
    pace: 'at-once',
    answeredBy: 'sandbox',
    decision: 'approve',
    ids: createIds(seededBytes(1)),
    async send(message) {
      sent.push(message)
      return { status: 200, headers: {}, body: '', ...answer(message) }
    },
    waitFor: (_why, what) => what,
    async pause(ms) {
      waited.push(ms)
      now += ms
    },
    now: () => now,
    realNow: () => now,
    plays: () => undefined,
    shows: () => undefined,
    delivers: () => undefined,
    ...changes,
  }
  return { scene, sent, waited, pass: (ms: number) => (now += ms) }
}

const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })

async function playOut(script: Script) {
  const names: string[] = []
  const round = limitRounds()
  for (;;) {
    round()
    const { done, value } = await script.next()
    if (done === true) return { names, ending: value }
    names.push(value.name)
  }
}

describe('a device that is played (RFC 8628)', () => {
  const codes = {
    device_code: 'device',
    user_code: 'ABCD-EFGH',
    verification_uri: 'http://localhost:7420/oauth/device',
    expires_in: 300,
  }

  /** @param answers to its polls, one after the other */
  function createDevice(answers: readonly string[], more: Record<string, unknown> = {}) {
    const left = [...answers]
    return createScene(
      ({ path, body = '' }) => {
        if (path === '/oauth/device') return json({ ...codes, ...more })
        if (!body.includes(encodeURIComponent(deviceCodeGrant))) return json({ sub: 'alice' })
        const error = left.shift()
        return error === undefined ? json({ access_token: 'token' }) : json({ error }, 400)
      },
      { answeredBy: 'person' },
    )
  }

  test('waits the usual five seconds between two polls, where the hub names no interval (§3.2)', async () => {
    const { scene, waited } = createDevice(['authorization_pending', 'authorization_pending'])
    expect((await playOut(scriptOf(scene, { kind: 'device' }))).ending.outcome).toBe('completed')
    expect(waited).toEqual([5000, 5000])
  })

  test('waits the interval of the hub, and five seconds more after each slow_down (§3.5)', async () => {
    const polls = ['authorization_pending', 'slow_down', 'authorization_pending', 'slow_down']
    const { scene, waited } = createDevice(polls, { interval: 2 })
    await playOut(scriptOf(scene, { kind: 'device' }))
    expect(waited).toEqual([2000, 7000, 7000, 12_000])
  })

  test('waits only for what is left of it, where somebody took their time', async () => {
    const { scene, waited, pass } = createDevice(['authorization_pending'])
    const script = scriptOf(scene, { kind: 'device' })
    for (let step = 0; step < 3; step++) await script.next()
    pass(4000)
    await script.next()
    expect(waited).toEqual([1000])
  })

  test('shows the address with the code in it where the hub names one (§3.2)', async () => {
    const complete = `${codes.verification_uri}?user_code=ABCD-EFGH`
    const { scene } = createDevice([], { verification_uri_complete: complete })
    const shown: unknown[] = []
    await playOut(scriptOf({ ...scene, shows: (code) => shown.push(code) }, { kind: 'device' }))
    expect(shown[0]).toEqual({
      userCode: 'ABCD-EFGH',
      verificationUri: codes.verification_uri,
      verificationUriComplete: complete,
      expiresIn: 300,
    })
  })

  test('is the command line of the Hub where the sandbox has it, else a public app', async () => {
    const named = (name: string, more: object = {}) => ({ ...app, clientId: name, name, ...more })
    const secret = named('secret', { clientSecret: 's' })
    const commandLine = named('26be6b09-91c5-47da-9861-d2d2bb7a7e36')
    for (const [apps, first] of [
      [[secret, named('public'), commandLine], commandLine.name],
      [[secret, named('public')], 'public'],
    ] as const) {
      const { scene } = createDevice([])
      const players: string[] = []
      const plays = (app: { name: string } | undefined) => void players.push(app?.name ?? '')
      await playOut(scriptOf({ ...scene, cast: { ...cast, apps }, plays }, { kind: 'device' }))
      expect(players).toEqual([first])
    }
  })

  test('ends with what else it is told', async () => {
    const { scene } = createDevice(['expired_token'])
    const { ending } = await playOut(scriptOf(scene, { kind: 'device' }))
    expect(ending).toEqual({ outcome: 'refused', explanation: 'expired_token' })
  })

  test('shows its code until it ends, also when it is given up', async () => {
    const shown: unknown[] = []
    const { scene } = createDevice([])
    const script = scriptOf(
      { ...scene, shows: (code) => shown.push(code?.userCode) },
      { kind: 'device' },
    )
    await script.next()
    await script.next()
    await script.return({ outcome: 'refused', explanation: '' })
    expect(shown).toEqual(['ABCD-EFGH', undefined])
  })
})

describe('a sign-in that is played', () => {
  test('goes no further with a state that is not its own (RFC 6749 §10.12)', async () => {
    const { scene } = createScene(() => ({
      status: 303,
      headers: { location: 'http://localhost/callback?code=stolen&state=other' },
    }))
    const script = scriptOf(scene, { kind: 'sign-in' })
    await script.next()
    expect(await script.next()).toMatchObject({
      done: true,
      value: { outcome: 'refused', explanation: expect.stringContaining('its state differs') },
    })
  })

  test('sends the verifier of its challenge, and the redirect URI of its request (RFC 7636 §4.6)', async () => {
    const { scene, sent } = createScene(({ path }) => {
      const state = new URL(path, 'http://hub').searchParams.get('state')
      if (!path.startsWith('/oauth/authorize')) return json({ error: 'invalid_grant' }, 400)
      return {
        status: 303,
        headers: { location: `http://localhost/callback?code=c&state=${state}` },
      }
    })
    const { ending } = await playOut(scriptOf(scene, { kind: 'sign-in' }))
    expect(ending).toEqual({ outcome: 'refused', explanation: 'invalid_grant' })
    const asked = new URL(sent[0]?.path ?? '', 'http://hub').searchParams
    const form = new URLSearchParams(sent[1]?.body)
    const digest = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(form.get('code_verifier') ?? ''),
    )
    expect(Buffer.from(digest).toString('base64url')).toBe(asked.get('code_challenge'))
    expect(form.get('redirect_uri')).toBe(asked.get('redirect_uri'))
    expect(asked.get('nonce')).not.toBe(asked.get('state'))
  })

  test('closes the page of a person when it is given up', async () => {
    let isOpen = false
    const { scene } = createScene(() => ({}), {
      pace: 'steps',
      async openCallback(host, path) {
        isOpen = true
        const close = () => void (isOpen = false)
        return { url: `http://${host}:1234${path}`, arrived: new Promise<URL>(() => {}), close }
      },
    })
    const script = scriptOf(scene, { kind: 'sign-in' })
    const { value } = await script.next()
    expect(value).toMatchObject({ url: expect.stringContaining('localhost%3A1234%2Fcallback') })
    expect(isOpen).toBe(true)
    await script.return({ outcome: 'refused', explanation: '' })
    expect(isOpen).toBe(false)
  })

  test('names its redirect URI as it is registered, to the letter (RFC 6749 §3.1.2.3)', async () => {
    for (const uri of ['http://localhost:3000', 'http://localhost/?next=a', 'myapp://callback']) {
      const { scene, sent } = createScene(() => ({ status: 400 }), {
        cast: { ...cast, apps: [{ ...app, redirectUris: [uri] }] },
      })
      await playOut(scriptOf(scene, { kind: 'sign-in' }))
      expect(new URL(sent[0]?.path ?? '', 'http://hub').searchParams.get('redirect_uri')).toBe(uri)
    }
  })

  test('says no to a name that no app can have, before any request', async () => {
    const { scene, sent } = createScene(() => ({}), { clientId: 'ap' })
    await expect(scriptOf(scene, { kind: 'sign-in' }).next()).rejects.toThrow('There is no app ap')
    expect(sent).toEqual([])
  })
})

describe('the browser that is played', () => {
  test('keeps cookies, and drops those that are taken back', async () => {
    const cookies = ['session=one; HttpOnly', 'session=; Max-Age=0']
    const { scene, sent } = createScene(() => ({ headers: { 'set-cookie': cookies.shift() } }))
    const browser = createBrowser(scene)
    for (const path of ['/a', '/b', '/c']) await browser.open(path)
    expect(sent.map(({ headers }) => headers?.['cookie'])).toEqual([
      undefined,
      'session=one',
      undefined,
    ])
  })

  test('follows redirects within the hub, leaves by others, and gives up on a circle', async () => {
    const { scene, sent } = createScene(({ path }) => {
      if (path === '/leave')
        return { status: 303, headers: { location: 'myapp://callback?code=1' } }
      return { status: 303, headers: { location: path === '/start' ? '/leave' : path } }
    })
    const browser = createBrowser(scene)
    expect(await browser.open('/start')).toEqual({ left: new URL('myapp://callback?code=1') })
    expect(sent.map(({ path }) => path)).toEqual(['/start', '/leave'])
    await expect(browser.open('/circle')).rejects.toThrow('more than 10 times')
  })
})

describe('an app that has its token', () => {
  const granting = (told: Record<string, unknown>) =>
    createScene(({ path }) => {
      if (path.startsWith('/oauth/authorize')) {
        const state = new URLSearchParams(path.split('?')[1]).get('state')
        return {
          status: 303,
          headers: { location: `http://localhost/callback?code=c&state=${state}` },
        }
      }
      return json(path === '/oauth/token' ? { access_token: 'token' } : told)
    }).scene

  test.each([
    // Whom the hub itself lets approve need not be the one who was meant to sign in.
    [{ sub: '1', preferred_username: 'bob' }, 'App has its token and knows that bob signed in.'],
    [{ sub: '1' }, 'App has its token.'],
  ])('knows what the hub has told it: %j', async (told, explanation) => {
    const { ending } = await playOut(scriptOf(granting(told), { kind: 'sign-in' }))
    expect(ending).toEqual({ outcome: 'completed', explanation })
  })
})
