import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { Fixtures, FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../server/index.ts'
import { callerAt } from './cast.ts'

/** A sandbox on a port of its own that ends with the test. */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** One sandbox for the tests of a file, reset before each unless they share its state. To be called once, at its top. */
export function sharedSandbox(
  options: SandboxOptions = {},
  { keepsState = false }: { keepsState?: boolean } = {},
): Sandbox {
  let running: Sandbox | undefined
  beforeAll(async () => {
    running = await startSandbox(options)
  })
  if (!keepsState) beforeEach(() => running?.reset())
  afterAll(() => running?.close())
  return new Proxy({} as Sandbox, {
    get: (_, name) => (running === undefined ? undefined : Reflect.get(running, name)),
  })
}

/** Sends requests to the control API of a sandbox, in whichever process it runs. */
export const controlAt = (url: string) => callerAt({ url: `${url}/_sandbox/api/` })

/** Error that a promise is rejected with; undefined if it is kept. */
export const errorOf = <E = Error>(promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as E,
  )

/** The default fixtures with some members replaced. */
export async function defaultFixtures(changes: FixturesFile): Promise<FixturesFile> {
  const file = await readFile(new URL('../../fixtures/default.json', import.meta.url), 'utf8')
  return { ...(JSON.parse(file) as FixturesFile), ...changes }
}

/** Users of whom dave has no part in acme, which pays for its members. */
export const payingFixtures = {
  users: [
    { username: 'alice', canPay: true, tokens: [{ token: 'hf_sandbox_alice', role: 'write' }] },
    { username: 'carol', tokens: [{ token: 'hf_sandbox_carol', role: 'read' }] },
    { username: 'dave', tokens: [{ token: 'hf_sandbox_dave', role: 'write' }] },
  ],
  organizations: [
    {
      name: 'acme',
      canPay: true,
      members: [
        { user: 'alice', role: 'admin' },
        { user: 'carol', role: 'read' },
      ],
    },
  ],
  apps: [{ name: 'App', redirectUris: ['http://localhost/'] }],
} satisfies FixturesFile

type AppFixture = Fixtures['apps'][number]

/** Apps of the default fixtures by what they are for. */
export function defaultApps({ fixtures: { apps } }: Pick<Sandbox, 'fixtures'>) {
  const find = (matches: (app: AppFixture) => boolean): AppFixture => {
    const app = apps.find(matches)
    if (app === undefined) throw new Error('the default fixtures lack an app of this kind')
    return app
  }
  return {
    public: find((app) => app.clientSecret === undefined && app.redirectUris.length > 0),
    confidential: find((app) => app.clientSecret !== undefined && app.organization === undefined),
    exchange: find((app) => app.privileges.includes('token-exchange')),
    commandLine: find((app) => app.clientId === '26be6b09-91c5-47da-9861-d2d2bb7a7e36'),
  }
}
