import type { Child } from '../children.ts'
import { publicApp, userToken } from '../fixtures.ts'
import { compare, type Comparison, type Contender, drive, type Load } from '../load.ts'
import type { Goal, Result, Row } from '../row.ts'
import {
  authorizationQuery,
  codeForm,
  exchangeRequest,
  type FixedRequest,
  signIn,
  withProgram,
  withSandbox,
} from '../sandbox.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** Throughput of what clients call, each against a bare program that sends as much. */
export const requestRows: Row[] = [
  read('metadata', '/.well-known/openid-configuration', { atLeast: 0.9 }),
  read('jwks', '/oauth/jwks', { atLeast: 0.9 }),
  {
    name: 'whoami',
    measure: () =>
      withSandbox((sandbox) =>
        againstForm('whoami', sandbox, authorized('/api/whoami-v2', userToken), { atLeast: 0.6 }),
      ),
  },
  {
    name: 'userinfo',
    measure: () =>
      withSandbox(async (sandbox) => {
        const token = await exchangedToken(sandbox)
        return againstForm('userinfo', sandbox, authorized('/oauth/userinfo', token), {
          atLeast: 0.6,
        })
      }),
  },
  {
    name: 'poll',
    measure: () =>
      withSandbox((sandbox) => {
        const load: Load = {
          scenario: 'poll',
          input: { form: { grant_type: deviceGrant, client_id: publicApp } },
          prepare: {
            as: 'deviceCodes',
            scenario: 'device',
            input: { form: { client_id: publicApp, scope: 'openid profile' } },
          },
        }
        const answer = {
          error: 'authorization_pending',
          error_description: 'The user has not yet answered; go on polling.',
        }
        return withProgram('bare-fastify', { answer, formStatus: 400 }, async (bare) =>
          asResult(
            'device poll',
            await compare({ server: sandbox, load }, { server: bare, load: formLoad(400) }),
            { atLeast: 0.6 },
          ),
        )
      }),
  },
  {
    name: 'exchange',
    measure: () =>
      withSandbox((sandbox) =>
        againstForm('exchange, journalled', sandbox, exchangeRequest('read-repos'), {
          atLeast: 0.4,
        }),
      ),
  },
  {
    name: 'exchange-openid',
    measure: () =>
      withSandbox((sandbox) => {
        const load = same(exchangeRequest('openid profile email'))
        return againstProvider('exchange with ID token', sandbox, { ours: load, baseline: load })
      }),
  },
  {
    name: 'token',
    measure: () =>
      withSandbox(async (sandbox) => {
        const load: Load = {
          scenario: 'token',
          input: { form: codeForm },
          prepare: {
            as: 'codes',
            scenario: 'code',
            input: { query: authorizationQuery, cookie: await signIn(sandbox) },
          },
        }
        return againstProvider('token with code', sandbox, { ours: load, baseline: load })
      }),
  },
  {
    name: 'refresh',
    measure: () =>
      withSandbox(async (sandbox) => {
        const load = async (server: Child, cookie: string): Promise<Load> => ({
          scenario: 'refresh',
          input: {
            form: { client_id: publicApp },
            first: await refreshTokens(server, cookie),
          },
        })
        return againstProvider(
          'refresh with ID token',
          sandbox,
          {
            ours: await load(sandbox, await signIn(sandbox)),
            baseline: (provider) => load(provider, ''),
          },
          { atLeast: 0.9 },
        )
      }),
  },
  {
    name: 'sign-in',
    measure: () =>
      withSandbox(async (sandbox) => {
        const load: Load = {
          scenario: 'signIn',
          input: { query: authorizationQuery, form: codeForm, cookie: await signIn(sandbox) },
        }
        return againstProvider(
          'whole sign-in',
          sandbox,
          { ours: load, baseline: load },
          { atLeast: 0.8 },
        )
      }),
  },
]

const same = (request: FixedRequest): Load => ({ scenario: 'same', input: { request } })

const formLoad = (status = 200): Load => ({
  scenario: 'same',
  input: { request: { ...exchangeRequest('read-repos'), path: '/form' }, status },
})

const tokenRequest = (form: Record<string, string>): FixedRequest => ({
  method: 'POST',
  path: '/oauth/token',
  form,
})

const authorized = (path: string, token: string): FixedRequest => ({
  path,
  headers: [`Authorization: Bearer ${token}`],
})

function read(name: string, path: string, goal: Goal): Row {
  return {
    name,
    measure: () =>
      withSandbox(async (sandbox) => {
        const answer = await answerOf(sandbox, { path })
        return withProgram('bare-fastify', { answer }, async (bare) =>
          asResult(
            name,
            await compare(
              { server: sandbox, load: same({ path }) },
              { server: bare, load: same({ path: '/json' }) },
            ),
            goal,
          ),
        )
      }),
  }
}

/** Against a bare route that reads a form and sends the same answer. */
async function againstForm(
  what: string,
  sandbox: Child,
  request: FixedRequest,
  goal: Goal,
): Promise<Result[]> {
  const answer = await answerOf(sandbox, request)
  return withProgram('bare-fastify', { answer }, async (bare) =>
    asResult(
      what,
      await compare({ server: sandbox, load: same(request) }, { server: bare, load: formLoad() }),
      goal,
    ),
  )
}

/**
 * Against a provider that signs the same tokens. Signing runs on threads of its own, so with idle cores around it
 * would hide what the server does; by CPU time it is as if there were one core.
 */
async function againstProvider(
  what: string,
  sandbox: Child,
  loads: { ours: Load; baseline: Load | ((provider: Child) => Promise<Load>) },
  goal?: Goal,
): Promise<Result[]> {
  const cookie = await signIn(sandbox)
  const page = await text(sandbox, `/oauth/authorize?${authorizationQuery}`, { cookie })
  const token = await exchangedToken(sandbox, 'openid profile email')
  const userinfo = JSON.parse(
    await text(sandbox, '/oauth/userinfo', { authorization: `Bearer ${token}` }),
  ) as object
  const claims = { iss: sandbox.url, ...userinfo }
  return withProgram('minimal-provider', { page, userinfo, claims }, async (provider) => {
    const { ours, baseline } = loads
    const contender: Contender = {
      server: provider,
      load: typeof baseline === 'function' ? await baseline(provider) : baseline,
    }
    const comparison = await compare({ server: sandbox, load: ours }, contender)
    const { cpuRatio, cpuNoise } = comparison
    return asResult(what, { ...comparison, ratio: cpuRatio, noise: cpuNoise }, goal)
  })
}

function asResult(
  what: string,
  { ours, baseline, ratio, noise, cpuRatio }: Comparison,
  goal?: Goal,
): Result[] {
  return [
    {
      what,
      ours: `${Math.round(ours)}/s`,
      baseline: `${Math.round(baseline)}/s`,
      ratio,
      noise,
      cpuRatio,
      ...(goal === undefined ? {} : { goal }),
    },
  ]
}

async function answerOf({ url }: Child, request: FixedRequest): Promise<unknown> {
  const { method = 'GET', path, headers = [], form } = request
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: Object.fromEntries(headers.map((line) => line.split(': ') as [string, string])),
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function text(
  { url }: Child,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const answer = await fetch(`${url}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

async function exchangedToken(sandbox: Child, scope = 'openid profile email'): Promise<string> {
  const answer = await answerOf(sandbox, exchangeRequest(scope))
  return (answer as { access_token: string }).access_token
}

/** One for each connection of the load generator. */
async function refreshTokens(server: Child, cookie: string): Promise<string[]> {
  const { results: codes } = await drive(
    server.url,
    { scenario: 'code', input: { query: authorizationQuery, cookie } },
    16,
  )
  return Promise.all(
    codes.map(async (code) => {
      const form = { ...codeForm, code: String(code) }
      const answer = await answerOf(server, tokenRequest(form))
      return (answer as { refresh_token: string }).refresh_token
    }),
  )
}
