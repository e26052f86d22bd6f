import type { Child } from '../children.ts'
import { publicApp } from '../fixtures.ts'
import { compare, drive, type Load, rateResult } from '../load.ts'
import { jsonOf, textOf } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import {
  authorizationQuery,
  codeForm,
  exchangeRequest,
  signIn,
  withProgram,
  withSandbox,
} from '../sandbox.ts'

/** Rates of sign-ins and refreshes, beside a provider that signs the same tokens without checks, log or state on disk. */
export const signInRow: Row = {
  name: 'sign-in',
  measure: () =>
    withSandbox(async (sandbox) => {
      const cookie = await signIn(sandbox)
      return withProgram('minimal-provider', await responsesOf(sandbox, cookie), (provider) =>
        measure(sandbox, provider, cookie),
      )
    }),
}

async function measure(sandbox: Child, provider: Child, cookie: string): Promise<Result[]> {
  const signIns = await compare(
    { server: sandbox, load: signInLoad(cookie) },
    { server: provider, load: signInLoad('') },
  )
  const refreshes = await compare(
    { server: sandbox, load: await refreshLoad(sandbox, cookie) },
    { server: provider, load: await refreshLoad(provider, '') },
  )
  // By CPU time: signing runs on other threads, and would hide the work of the server on a machine with idle cores.
  return [
    rateResult('whole sign-in', signIns, { goal: { atLeast: 0.6 }, byCpu: true }),
    rateResult('refresh with ID token', refreshes, { goal: { atLeast: 0.9 }, byCpu: true }),
  ]
}

/** Responses of the sandbox that the minimal provider repeats, so that both send as much. */
async function responsesOf(sandbox: Child, cookie: string): Promise<object> {
  const page = await textOf(sandbox, `/oauth/authorize?${authorizationQuery}`, { cookie })
  const { access_token: token } = (await jsonOf(
    sandbox,
    exchangeRequest('openid profile email'),
  )) as { access_token: string }
  const userinfo = (await jsonOf(sandbox, {
    path: '/oauth/userinfo',
    headers: [`Authorization: Bearer ${token}`],
  })) as object
  return { page, userinfo, claims: { iss: sandbox.url, ...userinfo } }
}

/** URLs and forms of a sign-in at a provider. */
export interface SignInInput {
  /** Path of the authorization request. */
  authorize: string
  /** Session of the user, for a provider that has signed the user in already. */
  cookie?: string
  /** Answers of the user on each page, beside its hidden fields. */
  answers?: Record<string, string>
  token: string
  userinfo: string
  /** Parameters of the token request beside the code. */
  form: Record<string, string>
}

export const signInAt = (input: SignInInput): Load => ({ scenario: 'signIn', input })

export const signInLoad = (cookie: string): Load => signInAt(ownSignIn(cookie))

function ownSignIn(cookie: string): SignInInput {
  return {
    authorize: `/oauth/authorize?${authorizationQuery}`,
    cookie,
    answers: { decision: 'approve' },
    token: '/oauth/token',
    userinfo: '/oauth/userinfo',
    form: codeForm,
  }
}

export const refreshLoad = (server: Child, cookie: string): Promise<Load> =>
  refreshAt(server, ownSignIn(cookie), { client_id: publicApp })

/**
 * Each connection of the load generator refreshes an authorization of its own.
 * @param client parameters that identify the client
 */
export async function refreshAt(
  server: Child,
  signIn: SignInInput,
  client: Record<string, string>,
): Promise<Load> {
  const { results: first } = await drive(server.url, signInAt(signIn), 16)
  return { scenario: 'refresh', input: { token: signIn.token, form: client, first } }
}
