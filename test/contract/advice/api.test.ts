import { callerAt } from '../../helpers/cast.ts'
import { contentOf, lfsLine, uploadContent } from '../../helpers/large-files.ts'
import { adviceWorld, note, warning, error } from '../../helpers/advice.ts'
import { publicClient, secretClient } from '../../helpers/control.ts'
import { playFlows } from '../../helpers/played-flows.ts'

const {
  world,
  call,
  hub,
  authorize,
  redeem,
  signIn,
  signInPlainly,
  whoami,
  wait,
  fault,
  atOnce,
  testRule,
} = adviceWorld()
const { exchangeToken } = playFlows(world)

const models = (times: number) => async () => {
  for (let time = 0; time < times; time++) await hub('GET', '/api/models')
}

const limited = () =>
  fault({
    match: { route: '/api/models' },
    status: 429,
    headers: { 'retry-after': '3' },
    times: 5,
  })

testRule('api/retry-after-ignored', {
  reports: {
    'a request that is repeated twice too early': warning(async () => {
      await limited()
      await models(3)()
    }),
  },
  silent: {
    'requests after the time': async () => {
      await limited()
      for (let times = 0; times < 4; times++) {
        await hub('GET', '/api/models')
        await hub('GET', '/api/datasets')
        await wait('3s')
      }
    },
  },
  guards: {
    'it happens once, when the request may have been on its way': async () => {
      await limited()
      await models(2)()
    },
  },
})

const whoamis = (times: number, pause?: string) => async () => {
  const { access_token: token } = await signIn()
  for (let time = 0; time < times; time++) {
    await whoami(token)
    if (pause !== undefined) await wait(pause)
  }
}

testRule('api/whoami-per-request', {
  reports: { 'twenty calls within a minute': note(whoamis(20)) },
  silent: { 'nineteen of them': whoamis(19) },
  guards: { 'the requests take longer than a minute': whoamis(25, '10s') },
})

const failing = (rule: object = {}) =>
  fault({ match: { route: '/api/models' }, status: 500, ...rule })

testRule('api/retry-storm', {
  reports: {
    'five equal requests after failures': warning(async () => {
      await failing()
      // Gaps of a machine differ; those of a loop do not grow.
      for (let time = 0; time < 8; time++) await hub('GET', '/api/models')
    }),
  },
  silent: {
    'three of them': async () => {
      await failing()
      await models(3)()
    },
  },
  guards: {
    'the app waits longer each time': async () => {
      await failing()
      // Within the two seconds of a storm; real time is shorter than these.
      await call('POST', 'clock', { frozen: true })
      for (const ms of [150, 300, 600, 900]) {
        await hub('GET', '/api/models')
        await wait(`${ms}ms`)
      }
      await hub('GET', '/api/models')
    },
    'the requests succeed': models(8),
    'the bodies of the requests differ': async () => {
      await failing({ match: { method: 'POST' } })
      for (let time = 0; time < 8; time++) {
        await hub('POST', '/api/datasets/acme/corpus/paths-info/main', {
          json: { paths: [`file-${time}`] },
        })
      }
    },
    'the requests were sent side by side': async () => {
      await failing()
      await atOnce(8, () => hub('GET', '/api/models'))
    },
  },
})

/** Commits a large file, and follows the redirect to its content in the storage. */
async function followToStorage(host: string, headers: Record<string, string> = {}) {
  const { port } = new URL(world.sandbox.url)
  const alice = callerAt({ url: `http://${host}:${port}` }, 'hf_sandbox_alice')
  const bytes = Buffer.from('a large file')
  await uploadContent(alice, '/datasets/acme/corpus', bytes)
  const lfsFiles = [lfsLine('large.bin', contentOf(bytes)).value]
  await alice.post('/api/datasets/acme/corpus/commit/main', { summary: 'Add', lfsFiles })
  const found = await alice.get('/datasets/acme/corpus/resolve/main/large.bin')
  const response = await fetch(String(found.headers['location']), { headers })
  if ((await response.text()) !== 'a large file') throw new Error('This is another content.')
}
const bearer = { authorization: 'Bearer hf_sandbox_alice' }

testRule('api/token-follows-redirect', {
  reports: {
    'a token that is sent to the storage': warning(() => followToStorage('localhost', bearer)),
  },
  silent: { 'no token': () => followToStorage('localhost') },
  guards: {
    'the redirect leads to the same host': async () => {
      const plain = `${world.sandbox.url}/datasets/acme/corpus/resolve/main/README.md`
      await fetch(plain, { headers: bearer })
      await followToStorage('localhost')
    },
  },
})

const discovery = '/.well-known/openid-configuration'

testRule('discovery/every-request', {
  reports: {
    'ten reads within a minute': note(async () => {
      for (let time = 0; time < 10; time++) await hub('GET', discovery)
    }),
  },
  silent: {
    'nine of them': async () => {
      for (let time = 0; time < 9; time++) await hub('GET', discovery)
    },
  },
  guards: {
    'many clients sign in meanwhile': async () => {
      for (let time = 0; time < 10; time++) {
        await hub('GET', discovery)
        await signIn()
        await signIn()
      }
    },
  },
})

const exchanges = (times: number, pause?: string) => async () => {
  for (let time = 0; time < times; time++) {
    const { status } = await exchangeToken('alice@example.com')
    if (status !== 200) throw new Error('the exchange failed')
    if (pause !== undefined) await wait(pause)
  }
}

testRule('exchange/per-request', {
  reports: { 'five exchanges for one user': note(exchanges(5)) },
  silent: { 'four of them': exchanges(4) },
  guards: { 'the tokens are about to expire': exchanges(6, '7h') },
})

testRule('portability/not-emulated', {
  reports: {
    'calls of what the sandbox lacks': warning(async () => {
      for (let time = 0; time < 2; time++) await hub('GET', '/api/daily_papers')
    }),
    'the same as a note, where the developer tries it by curl': note(() =>
      hub('GET', '/api/daily_papers', { headers: { 'user-agent': 'curl/8.5.0' } }),
    ),
  },
  silent: { 'a call of an emulated route': models(1) },
  guards: {
    'a fault made the status': async () => {
      await failing({ status: 501 })
      await models(1)()
    },
  },
})

const real = `hf_${'aB3dE5fG7h'.repeat(4).slice(0, 34)}`

testRule('portability/real-token', {
  reports: {
    'a token of the real form': error(() => whoami(real)),
    'one in a JSON body': error(() =>
      hub('POST', '/api/datasets/acme/corpus/discussions', {
        json: { title: 'Help', description: `My token ${real} is refused.` },
      }),
    ),
  },
  silent: { 'a token of the sandbox': () => whoami('hf_sandbox_alice') },
  guards: {
    'the token is obviously made up': () => whoami(`hf_${'x'.repeat(34)}`),
    'the fixtures file has the token': async () => {
      const { tokens } = world.sandbox.deps.state
      const kept = tokens.find('token', 'hf_sandbox_alice')
      if (kept === undefined) throw new Error('the token is missing')
      tokens.put({ ...kept, token: real })
      await whoami(real)
    },
    'a sandbox issued the token before a reset': async () => {
      const { body } = await call<{ access_token: string }>('POST', 'tokens', {
        user: 'alice',
        role: 'write',
      })
      await call('POST', 'reset')
      const { status } = await whoami(body.access_token)
      if (status !== 401) throw new Error('the token is still valid')
    },
  },
})

async function redirectTo(uri: string): Promise<void> {
  const { apps } = world.sandbox.deps.state
  const app = apps.get(secretClient)
  if (app === undefined) throw new Error('the app is missing')
  apps.put({ ...app, redirectUris: [uri, ...app.redirectUris] })
  const code = await authorize({ state: 'a-state', nonce: 'a-nonce', redirect_uri: uri })
  const { status } = await redeem(code, { redirect_uri: uri })
  if (status !== 200) throw new Error('the sign-in failed')
}

const also = ['note sign-in/pkce-absent']

testRule('app/plain-http-redirect', {
  reports: {
    'http to a public host': warning(() => redirectTo('http://app.example.com/callback'), also),
  },
  silent: {
    'https to the same host': [() => redirectTo('https://app.example.com/callback'), also],
  },
  guards: {
    'the host is a private address': [() => redirectTo('http://192.168.1.20/callback'), also],
    'the host is the name of a container': [() => redirectTo('http://web:3000/callback'), also],
    'the host is localhost': [
      () => signInPlainly({ state: 'a-state-of-this-sign-in', nonce: 'a-nonce' }),
      also,
    ],
  },
})

const publicRefresh = (more: Record<string, string>) => () =>
  hub('POST', '/oauth/token', {
    form: { grant_type: 'refresh_token', client_id: publicClient, refresh_token: 'x', ...more },
  })

testRule('app/secret-of-public-app', {
  reports: {
    'a secret of an app that has none': note(publicRefresh({ client_secret: 'made-up' })),
  },
  silent: { 'a public app without a secret': publicRefresh({}) },
  guards: { 'the secret is empty': publicRefresh({ client_secret: '' }) },
})
