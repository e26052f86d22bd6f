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

export function signInLoad(cookie: string): Load {
  return { scenario: 'signIn', input: { query: authorizationQuery, form: codeForm, cookie } }
}

/** Each connection of the load generator refreshes an authorization of its own. */
export async function refreshLoad(server: Child, cookie: string): Promise<Load> {
  const { results: codes } = await drive(
    server.url,
    { scenario: 'code', input: { query: authorizationQuery, cookie } },
    16,
  )
  const first = await Promise.all(
    codes.map(async (code) => {
      const form = { ...codeForm, code: String(code) }
      const response = await jsonOf(server, { method: 'POST', path: '/oauth/token', form })
      return (response as { refresh_token: string }).refresh_token
    }),
  )
  return { scenario: 'refresh', input: { form: { client_id: publicApp }, first } }
}
