import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { type Child, startCommandLine, startProgram } from './children.ts'
import { benchFixtures, exchangeApp, publicApp, redirectUri } from './fixtures.ts'

/** Runs `act` with a new folder, and deletes the folder afterwards. */
export async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-sandbox-bench-'))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface StartOptions extends Pick<SandboxOptions, 'deliveryProfile'> {
  /** Path of the command line of another build. */
  path?: string
}

/** Starts the sandbox as users do: by the command line, with its state on disk. */
export async function startSandbox(
  data: string,
  { deliveryProfile, path }: StartOptions = {},
): Promise<Child> {
  const fixtures = `${data}-fixtures.json`
  await writeFile(fixtures, JSON.stringify(benchFixtures))
  const profile = deliveryProfile === undefined ? [] : ['--delivery-profile', deliveryProfile]
  return startCommandLine(['--data', data, '--fixtures', fixtures, ...profile], path)
}

/** Runs `act` with a sandbox. */
export function withSandbox<T>(
  act: (sandbox: Child) => Promise<T>,
  options: StartOptions = {},
): Promise<T> {
  return withFolder(async (folder) =>
    whileRunning(await startSandbox(join(folder, 'data'), options), act),
  )
}

/**
 * Runs `act` with pairs of sandboxes. Two processes of one build differ by some percent, so there are several of each,
 * started in alternating order.
 */
export async function withPairs(
  pairs: number,
  { ours, baseline }: { ours: StartOptions; baseline: StartOptions },
  act: (ours: Child, baseline: Child) => Promise<void>,
): Promise<void> {
  for (let pair = 0; pair < pairs; pair++) {
    const isFirst = pair % 2 === 0
    await withSandbox(
      (first) =>
        withSandbox(
          (second) => (isFirst ? act(first, second) : act(second, first)),
          isFirst ? baseline : ours,
        ),
      isFirst ? ours : baseline,
    )
  }
}

/** Runs `act` with a program of `programs/`. */
export async function withProgram<T>(
  name: string,
  options: object,
  act: (program: Child) => Promise<T>,
): Promise<T> {
  return whileRunning(await startProgram(name, options), act)
}

/** Runs `act`, and stops the program afterwards. */
export async function whileRunning<T>(child: Child, act: (child: Child) => Promise<T>): Promise<T> {
  try {
    return await act(child)
  } finally {
    await child.stop()
  }
}

/** Signs alice in. @returns the session as a `Cookie` header */
export async function signIn({ url }: Child): Promise<string> {
  const response = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ user: 'alice' }),
    redirect: 'manual',
  })
  const [cookie] = response.headers.getSetCookie()
  if (cookie === undefined) throw new Error(`no session: ${response.status}`)
  return cookie.split(';', 1)[0] ?? ''
}

/** Calls the control API. */
export async function control<T>({ url }: Child, path: string, body: object): Promise<T> {
  const response = await fetch(`${url}/_sandbox/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

const verifier = 'the-verifier-of-the-bench-is-long-enough-43'

/** Authorization request of the public app; `prompt` shows the consent page every time. */
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

/** Request for the load generator; headers are whole lines. */
export interface FixedRequest {
  method?: string
  path: string
  headers?: string[]
  form?: Record<string, string>
  json?: object
}

/** Exchange of a member's e-mail address for a token. */
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
