import {
  adviceWorld,
  note,
  warning,
  error,
  challengeOf,
  fresh,
  redirectUri,
} from '../../helpers/advice.ts'
import { publicClient, secretClient } from '../../helpers/control.ts'

const { world, call, hub, authorize, redeem, signIn, signInPlainly, fault, wait, testRule } =
  adviceWorld()

const pkceAbsent = 'note sign-in/pkce-absent'
const noBinding = 'error sign-in/no-code-binding'
const goodSignIns = {
  'a sign-in with PKCE': async () => {
    for (let times = 0; times < 2; times++) await signIn({ nonce: fresh() })
  },
}
const unfinished = {
  'the sign-in was never completed': () => authorize({ state: 'constant' }),
}
const faulted = {
  'a fault changed the sign-in': async () => {
    await fault({ match: { route: '/oauth/token' }, delay: '1ms' })
    await signInPlainly({})
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
    'a sign-in with a state alone': error(() => signInPlainly({ state: fresh() })),
    'a sign-in with an empty nonce': error(() => signInPlainly({ state: fresh(), nonce: '' })),
    'a sign-in with a nonce that no ID token returns': error(() =>
      signInPlainly({ state: fresh(), nonce: fresh(), scope: 'profile' }),
    ),
  },
  silent: goodSignIns,
  guards: { ...unfinished, ...faulted },
})

testRule('sign-in/no-csrf-protection', {
  reports: {
    'a sign-in without state, PKCE and nonce': error(() => signInPlainly({}), [noBinding]),
    'a sign-in whose state is empty': error(() => signInPlainly({ state: '' }), [noBinding]),
    'a nonce that no ID token returns': error(
      () => signInPlainly({ nonce: fresh(), scope: 'profile' }),
      [noBinding],
    ),
  },
  silent: goodSignIns,
  guards: { ...unfinished, ...faulted },
})

testRule('sign-in/state-reused', {
  reports: {
    'the state of another sign-in': error(async () => {
      for (let times = 0; times < 2; times++) {
        await signInPlainly({ state: 'constant-state', nonce: fresh() })
      }
    }, [pkceAbsent]),
    'the same with PKCE as a warning': warning(async () => {
      for (let times = 0; times < 2; times++) await signIn({ state: 'constant' })
    }),
  },
  silent: goodSignIns,
  guards: {
    'the Back button repeats a request that was left': [
      async () => {
        const parameters = { state: fresh(), nonce: fresh() }
        await authorize(parameters)
        await signInPlainly(parameters)
      },
      [pkceAbsent],
    ],
  },
})

testRule('sign-in/challenge-reused', {
  reports: {
    'the challenge of another sign-in': error(async () => {
      const verifier = fresh()
      for (let times = 0; times < 2; times++) await signIn({}, verifier)
    }),
  },
  silent: goodSignIns,
  guards: {
    'only one of the sign-ins was completed': async () => {
      const verifier = fresh()
      await authorize({ ...challengeOf(verifier), state: fresh() })
      await signIn({}, verifier)
    },
  },
})

testRule('sign-in/nonce-reused', {
  reports: {
    'the nonce of another sign-in': warning(async () => {
      for (let times = 0; times < 2; times++) await signIn({ nonce: 'constant' })
    }),
  },
  silent: goodSignIns,
  guards: {
    'only one of the sign-ins was completed': async () => {
      await authorize({ ...safe(), nonce: 'constant' })
      await signIn({ nonce: 'constant' })
    },
  },
})

testRule('sign-in/known-verifier', {
  reports: {
    'the example of the RFC': error(() =>
      signIn({}, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    ),
    'the client id': error(async () => {
      const clientId = 'app-whose-client-id-is-as-long-as-a-verifier'
      const { apps } = world.sandbox.deps.state
      const app = apps.get(publicClient)
      if (app === undefined) throw new Error('the app is missing')
      apps.put({ ...app, id: clientId })
      const asked = { client_id: clientId, ...challengeOf(clientId), state: fresh() }
      const code = await authorize(asked)
      const form = { client_id: clientId, client_secret: '', code_verifier: clientId }
      await redeem(code, form)
    }),
    'one letter': error(() => signIn({}, 'a'.repeat(43))),
    'the nonce': error(() => signIn({ nonce: 'b7'.repeat(30) }, 'b7'.repeat(30))),
  },
  silent: goodSignIns,
})

testRule('sign-in/state-carries-secret', {
  reports: {
    'a state with the verifier': error(() => {
      const verifier = fresh()
      const state = Buffer.from(JSON.stringify({ verifier, to: '/' })).toString('base64url')
      return signIn({ state }, verifier)
    }),
    'a state with a token': error(async () => {
      const { access_token: token } = await signIn()
      await signIn({ state: `${fresh()}|${token}` })
    }),
    'a state with the client secret': error(() =>
      signIn({ state: `${fresh()}.sandbox_first_secret` }),
    ),
  },
  silent: {
    'a state with a nonce and a URL': () =>
      signIn({ state: JSON.stringify({ nonce: fresh(), redirectUri: 'https://a.example/' }) }),
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
    'a code that is sent again': error(async () => {
      const verifier = fresh()
      const code = await authorize({ ...challengeOf(verifier), state: fresh() })
      for (let times = 0; times < 2; times++) await redeem(code, { code_verifier: verifier })
    }),
    'the same as a note, where a fault has lost the tokens': note(() =>
      redeemTwice({ remove: ['access_token'] }),
    ),
  },
  silent: goodSignIns,
  guards: {
    'the Hub was out of order and never saw the first request': () => redeemTwice({ status: 503 }),
    'the first request was refused for another reason': async () => {
      const verifier = fresh()
      const code = await authorize({ ...challengeOf(verifier), state: fresh() })
      await redeem(code, { code_verifier: fresh() })
      await redeem(code, { code_verifier: verifier })
    },
    'the developer sent the request again by hand': async () => {
      await signIn()
      const { body } = await call<{ items: { id: string }[] }>('GET', 'requests?path=/oauth/token')
      await call('POST', `requests/${body.items[0]?.id}/resend`)
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
  reports: { 'four sign-ins at once': warning(() => signInsAtOnce(4)) },
  silent: { 'three of them': () => signInsAtOnce(3) },
  guards: {
    'the app sends prompt=none, which asks for no page': () => signInsAtOnce(6, { prompt: 'none' }),
    'a person answers a page in each of them': async () => {
      const cookie = await session()
      for (let time = 0; time < 5; time++) {
        const path = `/oauth/authorize?${query({ ...safe(), prompt: 'consent' })}`
        await hub('GET', path, { headers: { cookie } })
        await hub('POST', path, { headers: { cookie }, form: { decision: 'approve' } })
      }
    },
    'the sign-ins are hours apart': async () => {
      const cookie = await session()
      const path = () => `/oauth/authorize?${query(safe())}`
      await hub('POST', path(), { headers: { cookie }, form: { decision: 'approve' } })
      for (let time = 0; time < 5; time++) {
        await hub('GET', path(), { headers: { cookie } })
        await wait('1h')
      }
    },
  },
})

testRule('sign-in/in-a-frame', {
  reports: {
    'a page in a frame': warning(() =>
      hub('GET', `/oauth/authorize?${query(safe())}`, {
        headers: { 'sec-fetch-dest': 'iframe' },
      }),
    ),
    'a login page in a frame': warning(() =>
      hub('GET', '/login', { headers: { 'sec-fetch-dest': 'iframe' } }),
    ),
  },
  silent: {
    'a page in a window': () =>
      hub('GET', `/oauth/authorize?${query(safe())}`, {
        headers: { 'sec-fetch-dest': 'document' },
      }),
  },
  guards: {
    'the request has prompt=none, which shows no page': () =>
      hub('GET', `/oauth/authorize?${query({ ...safe(), prompt: 'none' })}`, {
        headers: { 'sec-fetch-dest': 'iframe' },
      }),
    'a Space frame of the dashboard shows the page': async () => {
      await call('POST', 'space-frames', { target: 'http://127.0.0.1:9' })
      const cookie = await session()
      const { status } = await hub('GET', `/oauth/authorize?${query(safe())}`, {
        headers: { cookie, 'sec-fetch-dest': 'iframe' },
      })
      if (status !== 200) throw new Error('there was no page')
    },
  },
})

testRule('sign-in/code-in-referer', {
  reports: {
    'a code in Referer': warning(async () => {
      const verifier = fresh()
      const code = await authorize({ ...challengeOf(verifier), state: fresh() })
      await redeem(code, { code_verifier: verifier })
      await hub('GET', '/api/models', { headers: { referer: `${redirectUri}?code=${code}` } })
    }),
    'a code in the Referer of a picture': warning(async () => {
      const code = await authorize(safe())
      const headers = { referer: `${redirectUri}?code=${code}` }
      await hub('GET', '/avatars/alice.svg', { headers })
    }),
    'a token in the fragment': warning(async () => {
      const { access_token: token } = await signIn()
      const referer = `${redirectUri}#access_token=${token}`
      await hub('GET', '/api/models', { headers: { referer } })
    }),
  },
  silent: {
    'the page of an app': () =>
      hub('GET', '/api/models', { headers: { referer: 'https://a.example/?code=1' } }),
  },
  guards: {
    'the page is one of the sandbox': async () => {
      const code = await authorize(safe())
      const referer = `${world.sandbox.url}/page?code=${code}`
      await hub('GET', '/api/models', { headers: { referer } })
    },
  },
})

testRule('sign-in/pkce-absent', {
  reports: {
    'a nonce without PKCE': note(() => signInPlainly({ state: fresh(), nonce: fresh() })),
  },
  silent: goodSignIns,
  guards: {
    'the app sends no nonce either, which is the error sign-in/no-code-binding': [
      () => signInPlainly({ state: fresh() }),
      [noBinding],
    ],
  },
})

testRule('sign-in/parameter-ignored', {
  reports: {
    'a parameter of another provider': note(() => signIn({ access_type: 'offline' })),
    'a parameter that the Hub does not support': note(() => signIn({ ui_locales: 'de' })),
    'an unknown scope': note(() => signIn({ scope: 'openid offline_access' })),
  },
  silent: goodSignIns,
  guards: { 'the parameter is unknown': () => signIn({ my_own: '1' }) },
})

testRule('sign-in/code-left', {
  reports: {
    'a code that nobody redeems': note(async () => {
      await signIn()
      await authorize(safe())
      await wait('1h')
      await signIn()
    }),
  },
  silent: goodSignIns,
  guards: {
    'the code is still valid': async () => {
      await signIn()
      await authorize(safe())
      await signIn()
    },
    'the app has never redeemed a code': async () => {
      await authorize(safe())
      await wait('1h')
      await authorize(safe())
    },
  },
})

testRule('sign-in/state-guessable', {
  reports: {
    'a short state': warning(() => signInPlainly({ state: 'abc' }), [noBinding]),
    'a number': warning(() => signInPlainly({ state: '1795771200000' }), [noBinding]),
    'a time': warning(() => signInPlainly({ state: '2026-11-27T09:00:00.000Z' }), [noBinding]),
  },
  silent: {
    'a random state': [() => signInPlainly({ state: fresh() }), [noBinding]],
  },
  guards: { 'PKCE protects the sign-in': () => signIn({ state: '1' }) },
})

testRule('sign-in/embedded-browser', {
  reports: {
    'a web view': note(() =>
      hub('GET', `/oauth/authorize?${query(safe())}`, {
        headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Chrome/120' },
      }),
    ),
  },
  silent: {
    'a browser': () =>
      hub('GET', `/oauth/authorize?${query({ ...safe(), client_id: secretClient })}`, {
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0' },
      }),
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
    'a code that is sent too late': note(async () => {
      const verifier = fresh()
      const code = await authorize({ ...challengeOf(verifier), state: fresh() })
      shorten(code)
      await new Promise((resolve) => setTimeout(resolve, 40))
      await redeem(code, { code_verifier: verifier })
    }),
  },
  silent: goodSignIns,
  guards: {
    'the clock was moved': async () => {
      const verifier = fresh()
      const code = await authorize({ ...challengeOf(verifier), state: fresh() })
      await wait('1h')
      await redeem(code, { code_verifier: verifier })
    },
    'the clock stood still': async () => {
      await call('POST', 'clock', { frozen: true })
      const code = await authorize(safe())
      shorten(code)
      await new Promise((resolve) => setTimeout(resolve, 40))
      const { body } = await redeem(code, { code_verifier: fresh() })
      if (body.error !== 'invalid_grant') throw new Error('the verifier was accepted')
    },
  },
})
