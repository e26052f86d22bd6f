import type { Child } from '../children.ts'
import { publicApp, userToken } from '../fixtures.ts'
import { drive, type Load } from '../load.ts'
import { answerOf } from '../requests.ts'
import type { Goal, Row } from '../row.ts'
import {
  authorizationQuery,
  codeForm,
  exchangeRequest,
  type FixedRequest,
  signIn,
} from '../sandbox.ts'
import { exchangedToken, formRoute, jsonRoute, provider, same } from './baselines.ts'
import { requestRow } from './request-row.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const exchange = exchangeRequest('read-repos')
const exchangeWithIdToken = same(exchangeRequest('openid profile email'))
const whoami = authorized('/api/whoami-v2', userToken)

/** Throughput of what clients call, each against a bare program that sends as much. */
export const requestRows: Row[] = [
  readRow('metadata', '/.well-known/openid-configuration', { atLeast: 0.85 }),
  readRow('jwks', '/oauth/jwks', { atLeast: 0.85 }),
  requestRow({
    name: 'whoami',
    what: 'whoami',
    load: () => same(whoami),
    baseline: formRoute((sandbox) => answerOf(sandbox, whoami)),
    goal: { atLeast: 0.6 },
  }),
  requestRow({
    name: 'userinfo',
    what: 'userinfo',
    load: async (sandbox) => same(authorized('/oauth/userinfo', await exchangedToken(sandbox))),
    baseline: formRoute(async (sandbox) =>
      answerOf(sandbox, authorized('/oauth/userinfo', await exchangedToken(sandbox))),
    ),
    goal: { atLeast: 0.6 },
  }),
  requestRow({
    name: 'poll',
    what: 'device poll',
    load: () => ({
      scenario: 'poll',
      input: { form: { grant_type: deviceGrant, client_id: publicApp } },
      prepare: {
        as: 'deviceCodes',
        scenario: 'device',
        input: { form: { client_id: publicApp, scope: 'openid profile' } },
      },
    }),
    baseline: formRoute(
      () => ({
        error: 'authorization_pending',
        error_description: 'The user has not yet answered; go on polling.',
      }),
      400,
    ),
    goal: { atLeast: 0.5 },
  }),
  requestRow({
    name: 'exchange',
    what: 'exchange, journalled',
    load: () => same(exchange),
    baseline: formRoute((sandbox) => answerOf(sandbox, exchange)),
    goal: { atLeast: 0.4 },
  }),
  requestRow({
    name: 'exchange-openid',
    what: 'exchange with ID token',
    load: () => exchangeWithIdToken,
    baseline: provider(() => exchangeWithIdToken),
  }),
  requestRow({
    name: 'token',
    what: 'token with code',
    load: async (sandbox) => codeLoad(await signIn(sandbox)),
    baseline: provider(() => codeLoad('')),
  }),
  requestRow({
    name: 'refresh',
    what: 'refresh with ID token',
    load: async (sandbox) => refreshLoad(sandbox, await signIn(sandbox)),
    baseline: provider((program) => refreshLoad(program, '')),
    goal: { atLeast: 0.9 },
  }),
  requestRow({
    name: 'sign-in',
    what: 'whole sign-in',
    load: async (sandbox) => signInLoad(await signIn(sandbox)),
    baseline: provider(() => signInLoad('')),
    goal: { atLeast: 0.75 },
  }),
]

function authorized(path: string, token: string): FixedRequest {
  return { path, headers: [`Authorization: Bearer ${token}`] }
}

function readRow(name: string, path: string, goal: Goal): Row {
  return requestRow({
    name,
    what: name,
    load: () => same({ path }),
    baseline: jsonRoute(path),
    goal,
  })
}

function codeLoad(cookie: string): Load {
  const input = { query: authorizationQuery, cookie }
  return {
    scenario: 'token',
    input: { form: codeForm },
    prepare: { as: 'codes', scenario: 'code', input },
  }
}

function signInLoad(cookie: string): Load {
  return { scenario: 'signIn', input: { query: authorizationQuery, form: codeForm, cookie } }
}

/** Each connection of the load generator refreshes an authorization of its own. */
async function refreshLoad(server: Child, cookie: string): Promise<Load> {
  const { results: codes } = await drive(
    server.url,
    { scenario: 'code', input: { query: authorizationQuery, cookie } },
    16,
  )
  const first = await Promise.all(
    codes.map(async (code) => {
      const form = { ...codeForm, code: String(code) }
      const answer = await answerOf(server, { method: 'POST', path: '/oauth/token', form })
      return (answer as { refresh_token: string }).refresh_token
    }),
  )
  return { scenario: 'refresh', input: { form: { client_id: publicApp }, first } }
}
