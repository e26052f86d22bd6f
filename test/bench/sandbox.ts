import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CapsConfigInput } from '../../server/contract/fixtures-types.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { type Child, startCommandLine, startProgram } from './children.ts'
import { profiled } from './profiling.ts'
import { benchFixtures, exchangeApp, publicApp, redirectUri } from './fixtures.ts'

/** Runs `act` with a new folder that is deleted afterwards. */
export async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-sandbox-bench-'))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The sandbox as its users start it: the command line, with its state on disk. */
export async function startSandbox(
  data: string,
  {
    deliveryProfile,
    caps,
  }: Pick<SandboxOptions, 'deliveryProfile'> & { caps?: CapsConfigInput } = {},
): Promise<Child> {
  const fixtures = `${data}-fixtures.json`
  const file = { ...benchFixtures, ...(caps === undefined ? {} : { config: { caps } }) }
  await writeFile(fixtures, JSON.stringify(file))
  const profile = deliveryProfile === undefined ? [] : ['--delivery-profile', deliveryProfile]
  return startCommandLine(['--data', data, '--fixtures', fixtures, ...profile])
}

/** Runs `act` with such a sandbox. */
export function withSandbox<T>(
  act: (sandbox: Child) => Promise<T>,
  options: Pick<SandboxOptions, 'deliveryProfile'> = {},
): Promise<T> {
  return withFolder(async (folder) =>
    whileRunning(await startSandbox(join(folder, 'data'), options), (sandbox) =>
      profiled(sandbox, () => act(sandbox)),
    ),
  )
}

/** Runs `act` with a sandbox within a program of its user, which keeps its state on disk as well. */
export function withSandboxInProcess<T>(act: (sandbox: Child) => Promise<T>): Promise<T> {
  return withFolder((data) => withProgram('sandbox', { fixtures: benchFixtures, data }, act))
}

/** Runs `act` with a program to compare with. */
export async function withProgram<T>(
  name: string,
  options: object,
  act: (program: Child) => Promise<T>,
): Promise<T> {
  return whileRunning(await startProgram(name, options), act)
}

/** Runs `act` with a program that ends with it. */
export async function whileRunning<T>(child: Child, act: (child: Child) => Promise<T>): Promise<T> {
  try {
    return await act(child)
  } finally {
    await child.stop()
  }
}

/** Signs alice in. @returns the session as a `Cookie` header */
export async function signIn({ url }: Child): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ user: 'alice' }),
    redirect: 'manual',
  })
  const [cookie] = answer.headers.getSetCookie()
  if (cookie === undefined) throw new Error(`no session: ${answer.status}`)
  return cookie.split(';', 1)[0] ?? ''
}

/** A call of the control API. */
export async function control<T>({ url }: Child, path: string, body: object): Promise<T> {
  const answer = await fetch(`${url}/_sandbox/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const verifier = 'the-verifier-of-the-bench-is-long-enough-43'

/** The authorization request of the public app; `prompt` brings the consent page every time. */
export const authorizationQuery = new URLSearchParams({
  client_id: publicApp,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile email',
  state: 'state-of-the-bench',
  prompt: 'consent',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}).toString()

export const codeForm = {
  grant_type: 'authorization_code',
  client_id: publicApp,
  redirect_uri: redirectUri,
  code_verifier: verifier,
}

/** A request as the load generator takes it; headers are whole lines. */
export interface FixedRequest {
  method?: string
  path: string
  headers?: string[]
  form?: Record<string, string>
  json?: object
}

/** The exchange of a member's address for a token. */
export function exchangeRequest(scope: string): FixedRequest {
  const pair = Buffer.from(`${exchangeApp.id}:${exchangeApp.secret}`).toString('base64')
  return {
    method: 'POST',
    path: '/oauth/token',
    headers: [`Authorization: Basic ${pair}`],
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'alice@example.com',
      subject_token_type: 'urn:service:token-type:user-email',
      scope,
    },
  }
}
