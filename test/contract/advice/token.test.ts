import { adviceWorld, note, warning, error, fresh } from '../../helpers/advice.ts'
import { publicClient } from '../../helpers/control.ts'

const { hub, authorize, redeem, signIn, refresh, whoami, wait, fault, atOnce, testRule } =
  adviceWorld()

const goodRefreshes = {
  'refreshes one after the other': async () => {
    const { refresh_token: first } = await signIn()
    const { body } = await refresh(first)
    await refresh(body.refresh_token)
  },
}

testRule('token/secret-in-url', {
  reports: {
    'a live token by its value': error(async () => {
      const { access_token: token } = await signIn()
      await hub('GET', `/api/models?auth=${token}`)
    }),
    'a secret by its name': error(() => hub('GET', '/api/models?client_secret=x')),
  },
  silent: { 'a query': () => hub('GET', '/api/models?limit=1&sort=likes') },
  guards: {
    'the ID token is an id_token_hint, which is meant for the URL': async () => {
      const { id_token: hint } = await signIn()
      await hub('GET', `/oauth/authorize?prompt=none&id_token_hint=${hint}`)
    },
    'the parameter is empty': () => hub('GET', '/api/models?access_token='),
  },
})

testRule('token/secret-in-browser', {
  reports: {
    'a secret with Origin and Sec-Fetch-Site': error(async () => {
      const code = await authorize({ state: fresh(), nonce: fresh() })
      const origin = 'http://localhost'
      await redeem(code, {}, { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })
    }, ['note sign-in/pkce-absent']),
  },
  silent: { 'a server': () => signIn() },
  guards: {
    'a server sends Sec-Fetch-Mode, as fetch of Node does': [
      async () => {
        const code = await authorize({ state: fresh(), nonce: fresh() })
        await redeem(code, {}, { 'sec-fetch-mode': 'cors' })
      },
      ['note sign-in/pkce-absent'],
    ],
    'the app of the page is public': () =>
      hub('POST', '/oauth/token', {
        form: { grant_type: 'authorization_code', client_id: publicClient, code: 'unknown' },
        headers: { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
      }),
  },
})

testRule('token/id-token-as-bearer', {
  reports: {
    'an ID token in Authorization': error(async () => whoami((await signIn()).id_token)),
  },
  silent: { 'an access token': async () => whoami((await signIn()).access_token) },
})

/** Requests that were sent at once look the same where the sandbox answers one before it reads the next. */
async function refreshInTurn(): Promise<void> {
  const { refresh_token: token } = await signIn()
  for (let times = 0; times < 4; times++) await refresh(token)
}

async function refreshAfterFault(): Promise<void> {
  const { refresh_token: token } = await signIn()
  await fault({ match: { route: '/oauth/token' }, delay: '1ms', times: 1 })
  await refresh(token)
  await refresh(token)
}

async function refreshTwiceAtOnce(): Promise<void> {
  const { refresh_token: token } = await signIn()
  await atOnce(2, () => refresh(token))
}

testRule('token/refresh-race', {
  reports: {
    'two refreshes of one token at once': error(refreshTwiceAtOnce),
  },
  silent: goodRefreshes,
  guards: {
    'the first response may have been lost': [refreshAfterFault, ['note token/refresh-not-stored']],
    'an app repeats a refused refresh': async () => {
      for (let times = 0; times < 2; times++) await refresh('unknown')
    },
    'the second request began after the first response': [
      refreshInTurn,
      ['warning token/refresh-repeated'],
    ],
  },
})

testRule('token/refresh-repeated', {
  reports: {
    'refreshes of one token, each right after the response to the one before':
      warning(refreshInTurn),
  },
  silent: goodRefreshes,
  guards: {
    'the requests overlap': [refreshTwiceAtOnce, ['error token/refresh-race']],
    'the first response may have been lost': [refreshAfterFault, ['note token/refresh-not-stored']],
  },
})

testRule('token/refresh-not-stored', {
  reports: {
    'a token that was replaced before': error(async () => {
      const { refresh_token: token } = await signIn()
      await refresh(token)
      await wait('1s')
      await refresh(token)
    }),
    'the same as a note, where a fault may have lost the response': note(async () => {
      const { refresh_token: token } = await signIn()
      await fault({ match: { route: '/oauth/token' }, delay: '1ms', times: 1 })
      await refresh(token)
      await refresh(token)
    }),
  },
  silent: goodRefreshes,
  guards: {
    'the requests may have been sent at once': [refreshInTurn, ['warning token/refresh-repeated']],
  },
})

testRule('token/refresh-after-refusal', {
  reports: {
    'a refused refresh that is repeated twice': error(async () => {
      for (let times = 0; times < 3; times++) await refresh('unknown')
    }),
  },
  silent: goodRefreshes,
  guards: {
    'it is repeated once': async () => {
      for (let times = 0; times < 2; times++) await refresh('unknown')
    },
    'a fault refused it': async () => {
      const { refresh_token: token } = await signIn()
      await fault({ match: { route: '/oauth/token' }, oauthError: 'invalid_grant' })
      for (let times = 0; times < 4; times++) await refresh(token)
    },
    'the requests were sent at once': [refreshInTurn, ['warning token/refresh-repeated']],
  },
})

testRule('token/dead-bearer', {
  reports: {
    'a token that has expired, on three routes': warning(async () => {
      const { access_token: token } = await signIn()
      await wait('9h')
      for (const path of ['/api/whoami-v2', '/api/models?limit=1', '/oauth/userinfo']) {
        await whoami(token, path)
      }
    }),
    'the same as an error from the tenth request on': error(async () => {
      const { access_token: token } = await signIn()
      await wait('9h')
      for (let times = 0; times < 10; times++) {
        await whoami(token)
        await wait('2s')
      }
    }),
  },
  silent: { 'a live token': async () => whoami((await signIn()).access_token) },
  guards: {
    'the app refreshes after each refusal': async () => {
      let tokens = await signIn()
      for (let times = 0; times < 4; times++) {
        await wait('9h')
        await whoami(tokens.access_token)
        tokens = (await refresh(tokens.refresh_token)).body
      }
    },
    'the requests were on their way': async () => {
      const { access_token: token } = await signIn()
      await wait('9h')
      const paths = [
        '/api/whoami-v2',
        '/api/models?limit=1',
        '/api/datasets?limit=1',
        '/api/spaces',
      ]
      await atOnce(4, (index) => whoami(token, paths[index]))
    },
    'one page sends its requests at once': async () => {
      const { access_token: token } = await signIn()
      await wait('9h')
      for (let times = 0; times < 3; times++) await whoami(token)
    },
  },
})

const all = 'openid profile write-discussions'

/** Needs write-discussions. */
const openDiscussion = (token: string) =>
  hub('POST', '/api/datasets/acme/corpus/discussions', {
    json: { title: 'Welcome', description: 'Looks good.' },
    headers: { authorization: `Bearer ${token}` },
  })

testRule('token/narrower-not-noticed', {
  reports: {
    'two refused requests for a scope that was asked for': warning(async () => {
      const { refresh_token: token } = await signIn({ scope: all })
      const { body } = await refresh(token, { scope: 'openid profile' })
      for (let times = 0; times < 2; times++) await openDiscussion(body.access_token)
    }),
  },
  silent: {
    'a narrower token that is used for what it allows': async () => {
      const { refresh_token: token } = await signIn({ scope: all })
      const { body } = await refresh(token, { scope: 'openid profile' })
      for (let times = 0; times < 3; times++) await whoami(body.access_token)
    },
  },
  guards: {
    'the app finds out by one refused request': async () => {
      const { refresh_token: token } = await signIn({ scope: all })
      const { body } = await refresh(token, { scope: 'openid profile' })
      await openDiscussion(body.access_token)
    },
    'the app never asked for the scope': async () => {
      const { access_token: token } = await signIn()
      for (let times = 0; times < 3; times++) await openDiscussion(token)
    },
  },
})

const refreshes = async (times: number, pause?: string) => {
  let { refresh_token: token } = await signIn()
  for (let time = 0; time < times; time++) {
    if (pause !== undefined) await wait(pause)
    token = (await refresh(token)).body.refresh_token
  }
}

testRule('token/refreshed-early', {
  reports: { 'three refreshes in a row': note(() => refreshes(3)) },
  silent: { 'two of them': () => refreshes(2) },
  guards: { 'most of the lifetime is over': () => refreshes(4, '6h') },
})
