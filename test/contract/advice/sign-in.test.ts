import { adviceWorld, challengeOf, fresh, redirectUri } from '../../helpers/advice.ts'
import { publicClient, secretClient } from '../../helpers/control.ts'

const { world, call, hub, authorize, redeem, signIn, signInPlainly, fault, wait, testRule } =
  adviceWorld()

const pkceAbsent = 'note sign-in/pkce-absent'
const noBinding = 'error sign-in/no-code-binding'
const goodSignIns = {
  'a sign-in with PKCE': {
    script: async () => {
      for (let times = 0; times < 2; times++) await signIn({ nonce: fresh() })
    },
  },
}
const unfinished = {
  'the sign-in was never completed': { script: () => authorize({ state: 'constant' }) },
}
const faulted = {
  'a fault changed the sign-in': {
    script: async () => {
      await fault({ match: { route: '/oauth/token' }, delay: '1ms' })
      await signInPlainly({})
    },
  },
}

/** Query of an authorization request as a browser sends it. */
const query = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: publicClient,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    ...more,
  }).toString()

async function session(): Promise<string> {
  const { body } = await call<{ name: string; value: string }>('POST', 'sessions', {
    user: 'alice',
  })
  return `${body.name}=${body.value}`
}

const safe = () => ({ ...challengeOf(fresh()), state: fresh() })

testRule('sign-in/no-code-binding', {
  reports: {
    'a sign-in with a state alone': {
      level: 'error',
      script: () => signInPlainly({ state: fresh() }),
    },
    'a sign-in with an empty nonce': {
      level: 'error',
      script: () => signInPlainly({ state: fresh(), nonce: '' }),
    },
    'a sign-in with a nonce that no ID token returns': {
      level: 'error',
      script: () => signInPlainly({ state: fresh(), nonce: fresh(), scope: 'profile' }),
    },
  },
  silent: goodSignIns,
  guards: { ...unfinished, ...faulted },
})

testRule('sign-in/no-csrf-protection', {
  reports: {
    'a sign-in without state, PKCE and nonce': {
      level: 'error',
      script: () => signInPlainly({}),
      also: [noBinding],
    },
    'a sign-in whose state is empty': {
      level: 'error',
      script: () => signInPlainly({ state: '' }),
      also: [noBinding],
    },
    'a nonce that no ID token returns': {
      level: 'error',
      script: () => signInPlainly({ nonce: fresh(), scope: 'profile' }),
      also: [noBinding],
    },
  },
  silent: goodSignIns,
  guards: { ...unfinished, ...faulted },
})

testRule('sign-in/state-reused', {
  reports: {
    'the state of another sign-in': {
      level: 'error',
      script: async () => {
        for (let times = 0; times < 2; times++) {
          await signInPlainly({ state: 'constant-state', nonce: fresh() })
        }
      },
      also: [pkceAbsent],
    },
    'the same with PKCE as a warning': {
      level: 'warning',
      script: async () => {
        for (let times = 0; times < 2; times++) await signIn({ state: 'constant' })
      },
    },
  },
  silent: goodSignIns,
  guards: {
    'the Back button repeats a request that was left': {
      script: async () => {
        const parameters = { state: fresh(), nonce: fresh() }
        await authorize(parameters)
        await signInPlainly(parameters)
      },
      also: [pkceAbsent],
    },
  },
})

testRule('sign-in/challenge-reused', {
  reports: {
    'the challenge of another sign-in': {
      level: 'error',
      script: async () => {
        const verifier = fresh()
        for (let times = 0; times < 2; times++) await signIn({}, verifier)
      },
    },
  },
  silent: goodSignIns,
  guards: {
    'only one of the sign-ins was completed': {
      script: async () => {
        const verifier = fresh()
        await authorize({ ...challengeOf(verifier), state: fresh() })
        await signIn({}, verifier)
      },
    },
  },
})

testRule('sign-in/nonce-reused', {
  reports: {
    'the nonce of another sign-in': {
      level: 'warning',
      script: async () => {
        for (let times = 0; times < 2; times++) await signIn({ nonce: 'constant' })
      },
    },
  },
  silent: goodSignIns,
  guards: {
    'only one of the sign-ins was completed': {
      script: async () => {
        await authorize({ ...safe(), nonce: 'constant' })
        await signIn({ nonce: 'constant' })
      },
    },
  },
})

testRule('sign-in/known-verifier', {
  reports: {
    'the example of the RFC': {
      level: 'error',
      script: () => signIn({}, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    },
    'the client id': {
      level: 'error',
      script: async () => {
        const clientId = 'app-whose-client-id-is-as-long-as-a-verifier'
        const { apps } = world.sandbox.deps.state
        const app = apps.get(publicClient)
        if (app === undefined) throw new Error('there is no app')
        apps.put({ ...app, id: clientId })
        const asked = { client_id: clientId, ...challengeOf(clientId), state: fresh() }
        const code = await authorize(asked)
        const form = { client_id: clientId, client_secret: '', code_verifier: clientId }
        await redeem(code, form)
      },
    },
    'one letter': { level: 'error', script: () => signIn({}, 'a'.repeat(43)) },
    'the nonce': {
      level: 'error',
      script: () => signIn({ nonce: 'b7'.repeat(30) }, 'b7'.repeat(30)),
    },
  },
  silent: goodSignIns,
})

testRule('sign-in/state-carries-secret', {
  reports: {
    'a state with the verifier': {
      level: 'error',
      script: () => {
        const verifier = fresh()
        const state = Buffer.from(JSON.stringify({ verifier, to: '/' })).toString('base64url')
        return signIn({ state }, verifier)
      },
    },
    'a state with a token': {
      level: 'error',
      script: async () => {
        const { access_token: token } = await signIn()
        await signIn({ state: `${fresh()}|${token}` })
      },
    },
    'a state with the client secret': {
      level: 'error',
      script: () => signIn({ state: `${fresh()}.sandbox_first_secret` }),
    },
  },
  silent: {
    'a state with a nonce and a URL': {
      script: () =>
        signIn({ state: JSON.stringify({ nonce: fresh(), redirectUri: 'https://a.example/' }) }),
    },
  },
})

/** Sends a code twice, and changes the first response. */
async function redeemTwice(effect: object): Promise<void> {
  const verifier = fresh()
  const code = await authorize({ ...challengeOf(verifier), state: fresh() })
  await fault({ match: { route: '/oauth/token' }, times: 1, ...effect })
  for (let times = 0; times < 2; times++) await redeem(code, { code_verifier: verifier })
}

testRule('sign-in/code-redeemed-twice', {
  reports: {
    'a code that is sent again': {
      level: 'error',
      script: async () => {
        const verifier = fresh()
        const code = await authorize({ ...challengeOf(verifier), state: fresh() })
        for (let times = 0; times < 2; times++) await redeem(code, { code_verifier: verifier })
      },
    },
    'the same as a note, where a fault has lost the tokens': {
      level: 'note',
      script: () => redeemTwice({ remove: ['access_token'] }),
    },
  },
  silent: goodSignIns,
  guards: {
    'the Hub was out of order and never saw the first request': {
      script: () => redeemTwice({ status: 503 }),
    },
    'the first request was refused for another reason': {
      script: async () => {
        const verifier = fresh()
        const code = await authorize({ ...challengeOf(verifier), state: fresh() })
        await redeem(code, { code_verifier: fresh() })
        await redeem(code, { code_verifier: verifier })
      },
    },
    'the developer sent the request again by hand': {
      script: async () => {
        await signIn()
        const { body } = await call<{ items: { id: string }[] }>(
          'GET',
          'requests?path=/oauth/token',
        )
        await call('POST', `requests/${body.items[0]?.id}/resend`)
      },
    },
  },
})

/** Sign-ins of one browser that the user has allowed the app before. */
async function signInsAtOnce(times: number, more: Record<string, string> = {}): Promise<void> {
  const cookie = await session()
  const path = () => `/oauth/authorize?${query({ ...safe(), ...more })}`
  await hub('POST', path(), { headers: { cookie }, form: { decision: 'approve' } })
  for (let time = 0; time < times; time++) {
    const { headers } = await hub('GET', path(), { headers: { cookie } })
    if (!String(headers['location']).includes('code=')) throw new Error('there was a page')
  }
}

testRule('sign-in/loop', {
  reports: { 'four sign-ins at once': { level: 'warning', script: () => signInsAtOnce(4) } },
  silent: { 'three of them': { script: () => signInsAtOnce(3) } },
  guards: {
    'the app sends prompt=none, which asks for no page': {
      script: () => signInsAtOnce(6, { prompt: 'none' }),
    },
    'a person answers a page in each of them': {
      script: async () => {
        const cookie = await session()
        for (let time = 0; time < 5; time++) {
          const path = `/oauth/authorize?${query({ ...safe(), prompt: 'consent' })}`
          await hub('GET', path, { headers: { cookie } })
          await hub('POST', path, { headers: { cookie }, form: { decision: 'approve' } })
        }
      },
    },
    'the sign-ins are hours apart': {
      script: async () => {
        const cookie = await session()
        const path = () => `/oauth/authorize?${query(safe())}`
        await hub('POST', path(), { headers: { cookie }, form: { decision: 'approve' } })
        for (let time = 0; time < 5; time++) {
          await hub('GET', path(), { headers: { cookie } })
          await wait('1h')
        }
      },
    },
  },
})

testRule('sign-in/in-a-frame', {
  reports: {
    'a page in a frame': {
      level: 'warning',
      script: () =>
        hub('GET', `/oauth/authorize?${query(safe())}`, {
          headers: { 'sec-fetch-dest': 'iframe' },
        }),
    },
    'a login page in a frame': {
      level: 'warning',
      script: () => hub('GET', '/login', { headers: { 'sec-fetch-dest': 'iframe' } }),
    },
  },
  silent: {
    'a page in a window': {
      script: () =>
        hub('GET', `/oauth/authorize?${query(safe())}`, {
          headers: { 'sec-fetch-dest': 'document' },
        }),
    },
  },
  guards: {
    'the request has prompt=none, which shows no page': {
      script: () =>
        hub('GET', `/oauth/authorize?${query({ ...safe(), prompt: 'none' })}`, {
          headers: { 'sec-fetch-dest': 'iframe' },
        }),
    },
    'a Space frame of the dashboard shows the page': {
      script: async () => {
        await call('POST', 'space-frames', { target: 'http://127.0.0.1:9' })
        const cookie = await session()
        const { status } = await hub('GET', `/oauth/authorize?${query(safe())}`, {
          headers: { cookie, 'sec-fetch-dest': 'iframe' },
        })
        if (status !== 200) throw new Error('there was no page')
      },
    },
  },
})

testRule('sign-in/code-in-referer', {
  reports: {
    'a code in Referer': {
      level: 'warning',
      script: async () => {
        const verifier = fresh()
        const code = await authorize({ ...challengeOf(verifier), state: fresh() })
        await redeem(code, { code_verifier: verifier })
        await hub('GET', '/api/models', { headers: { referer: `${redirectUri}?code=${code}` } })
      },
    },
    'a code in the Referer of a picture': {
      level: 'warning',
      script: async () => {
        const code = await authorize(safe())
        const headers = { referer: `${redirectUri}?code=${code}` }
        await hub('GET', '/avatars/alice.svg', { headers })
      },
    },
    'a token in the fragment': {
      level: 'warning',
      script: async () => {
        const { access_token: token } = await signIn()
        const referer = `${redirectUri}#access_token=${token}`
        await hub('GET', '/api/models', { headers: { referer } })
      },
    },
  },
  silent: {
    'the page of an app': {
      script: () =>
        hub('GET', '/api/models', { headers: { referer: 'https://a.example/?code=1' } }),
    },
  },
  guards: {
    'the page is one of the sandbox': {
      script: async () => {
        const code = await authorize(safe())
        const referer = `${world.sandbox.url}/page?code=${code}`
        await hub('GET', '/api/models', { headers: { referer } })
      },
    },
  },
})

testRule('sign-in/pkce-absent', {
  reports: {
    'a nonce without PKCE': {
      level: 'note',
      script: () => signInPlainly({ state: fresh(), nonce: fresh() }),
    },
  },
  silent: goodSignIns,
  guards: {
    'the app sends no nonce either, which is the error sign-in/no-code-binding': {
      script: () => signInPlainly({ state: fresh() }),
      also: [noBinding],
    },
  },
})

testRule('sign-in/parameter-ignored', {
  reports: {
    'a parameter of another provider': {
      level: 'note',
      script: () => signIn({ access_type: 'offline' }),
    },
    'a parameter that the Hub does not support': {
      level: 'note',
      script: () => signIn({ ui_locales: 'de' }),
    },
    'an unknown scope': { level: 'note', script: () => signIn({ scope: 'openid offline_access' }) },
  },
  silent: goodSignIns,
  guards: { 'the parameter is unknown': { script: () => signIn({ my_own: '1' }) } },
})

testRule('sign-in/code-left', {
  reports: {
    'a code that nobody redeems': {
      level: 'note',
      script: async () => {
        await signIn()
        await authorize(safe())
        await wait('1h')
        await signIn()
      },
    },
  },
  silent: goodSignIns,
  guards: {
    'the code is still valid': {
      script: async () => {
        await signIn()
        await authorize(safe())
        await signIn()
      },
    },
    'the app has never redeemed a code': {
      script: async () => {
        await authorize(safe())
        await wait('1h')
        await authorize(safe())
      },
    },
  },
})

testRule('sign-in/state-guessable', {
  reports: {
    'a short state': {
      level: 'warning',
      script: () => signInPlainly({ state: 'abc' }),
      also: [noBinding],
    },
    'a number': {
      level: 'warning',
      script: () => signInPlainly({ state: '1795771200000' }),
      also: [noBinding],
    },
    'a time': {
      level: 'warning',
      script: () => signInPlainly({ state: '2026-11-27T09:00:00.000Z' }),
      also: [noBinding],
    },
  },
  silent: {
    'a random state': { script: () => signInPlainly({ state: fresh() }), also: [noBinding] },
  },
  guards: { 'PKCE protects the sign-in': { script: () => signIn({ state: '1' }) } },
})

testRule('sign-in/embedded-browser', {
  reports: {
    'a web view': {
      level: 'note',
      script: () =>
        hub('GET', `/oauth/authorize?${query(safe())}`, {
          headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Chrome/120' },
        }),
    },
  },
  silent: {
    'a browser': {
      script: () =>
        hub('GET', `/oauth/authorize?${query({ ...safe(), client_id: secretClient })}`, {
          headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0' },
        }),
    },
  },
})

/** Shortens the lifetime of a code, which is too long to wait for. */
function shorten(code: string): void {
  const { codes } = world.sandbox.deps.state
  const kept = codes.get(code)
  if (kept === undefined) throw new Error('there is no such code')
  codes.put({ ...kept, expiresAt: kept.createdAt + 20 })
}

testRule('sign-in/code-expired', {
  reports: {
    'a code that is sent too late': {
      level: 'note',
      script: async () => {
        const verifier = fresh()
        const code = await authorize({ ...challengeOf(verifier), state: fresh() })
        shorten(code)
        await new Promise((resolve) => setTimeout(resolve, 40))
        await redeem(code, { code_verifier: verifier })
      },
    },
  },
  silent: goodSignIns,
  guards: {
    'the clock was moved': {
      script: async () => {
        const verifier = fresh()
        const code = await authorize({ ...challengeOf(verifier), state: fresh() })
        await wait('1h')
        await redeem(code, { code_verifier: verifier })
      },
    },
    'the clock stood still': {
      script: async () => {
        await call('POST', 'clock', { frozen: true })
        const code = await authorize(safe())
        shorten(code)
        await new Promise((resolve) => setTimeout(resolve, 40))
        const { body } = await redeem(code, { code_verifier: fresh() })
        if (body.error !== 'invalid_grant') throw new Error('the verifier was accepted')
      },
    },
  },
})
