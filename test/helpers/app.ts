import { beforeEach, onTestFinished } from 'vitest'
import { createRunAdvice } from '../../server/lab/checks/run-advice.ts'
import type { Settings } from '../../server/core/settings.ts'
import { completeFixtures } from '../../server/fixtures/fill-defaults.ts'
import { type AppOptions, buildApp } from '../../server/app/app.ts'
import type { SandboxApp } from '../../server/web/front-door.ts'
import { services } from '../../server/lab/sandbox-services.ts'
import { createLogSegments } from '../../server/inspect/log/log-segments.ts'
import { createIssuerKeys } from '../../server/hub/oauth/ci/issuer-keys.ts'
import type { CodeGuesses } from '../../server/hub/oauth/code-guesses.ts'
import type { FetchedDocument } from '../../server/web/outgoing/fetched-document.ts'
import { createOutgoing } from '../../server/web/outgoing/outgoing.ts'
import { createClients } from '../../server/hub/oauth/metadata-document.ts'
import { notingFetch } from '../../server/inspect/flows/document-fetches.ts'
import type { RequestLog } from '../../server/inspect/log/request-log.ts'
import { openListeners } from '../../server/app/open-listener.ts'
import { realTime } from '../../server/app/system-time.ts'
import { wholeSandbox } from '../../server/app/whole-sandbox.ts'
import { type Cast, createCast } from './cast.ts'
import { createDomain, populate, type TestWorld } from './deps.ts'
import { createOAuthClient } from './oauth-client.ts'
import { createWorldRepos, type WorldRepos } from './world-repos.ts'

export interface TestApp extends TestWorld, WorldRepos {
  server: SandboxApp
  requests: RequestLog
  guesses: CodeGuesses
  /** Sites that metadata documents are fetched from, by address; any other cannot be reached. */
  sites: Map<string, FetchedDocument>
  /** Sends requests as a user: `as('alice').post(path, json)`. */
  as: Cast
}

const built = new Map<string, ReturnType<typeof build>>()

/**
 * The whole server over {@link createTestDeps}, for requests by `inject`; it delivers and runs nothing. Building it takes
 * longer than a test, so those of a file share one for the same settings, and each begins with a new state.
 */
export async function buildTestApp(changes: Partial<Settings> = {}): Promise<TestApp> {
  const key = JSON.stringify(changes)
  const building = built.get(key) ?? build(changes)
  built.set(key, building)
  return begin(await building)
}

/** The {@link buildTestApp} of the present test. To be called once, at the top of a file. */
export function testApp(changes: Partial<Settings> = {}) {
  let present: TestApp | undefined
  function world(): TestApp {
    if (present === undefined) throw new Error('the app is there in tests only')
    return present
  }
  /** Begins again, with other settings if some are given. */
  async function begin(settings = changes): Promise<void> {
    present = await buildTestApp(settings)
  }
  beforeEach(() => begin())
  const client = createOAuthClient({
    get server() {
      return world().server
    },
  })
  const lasting = { client, begin }
  const app: TestApp & typeof lasting = new Proxy(lasting as TestApp & typeof lasting, {
    get(target, key): unknown {
      if (key === 'as') return as
      return Reflect.get(key in target ? target : world(), key)
    },
  })
  // Its callers may be made before the first test.
  const as = createCast(app)
  return app
}

/** {@link buildTestApp} on a port of its own, with a server that ends with the test. */
export async function listenTestApp(
  changes: Partial<Settings>,
  more: Pick<AppOptions, 'stallMs'>,
): Promise<TestApp & { port: number }> {
  const listeners = await openListeners({ port: 0, hosts: ['127.0.0.1'], hostsAreDefault: false })
  const built = await build(changes, { ...more, server: listeners.primary })
  listeners.serve(built.server.routing)
  onTestFinished(async () => {
    listeners.destroy()
    await built.server.close()
    await listeners.close()
  })
  return { ...begin(built), port: listeners.port }
}

/** Begins with a new state. */
function begin({ domain, server, requests, guesses, sites }: Awaited<ReturnType<typeof build>>) {
  domain.restart()
  requests.clear()
  guesses.clear()
  sites.clear()
  const accounts = populate(domain.deps)
  const known = { ...domain, ...accounts }
  const world = { ...known, ...createWorldRepos(known), server, requests, guesses, sites }
  return { ...world, as: createCast(world) }
}

async function build(
  changes: Partial<Settings>,
  more: Pick<AppOptions, 'server' | 'stallMs'> = {},
) {
  const domain = await createDomain(changes)
  const sites = new Map<string, FetchedDocument>()
  const { state, objects, settings } = domain.deps
  const policy = {
    allowNetwork: false,
    ownPorts: () => [],
    resolve: (hostname: string) => Promise.reject(new Error(`tests resolve nothing: ${hostname}`)),
  }
  const start = {
    settings,
    state,
    objects,
    committed: () => undefined,
    policy,
    outgoing: createOutgoing(policy),
    realTime,
    runProcess: () => {
      throw new Error('tests of the server run no jobs')
    },
    newPrivateKey: () => Promise.reject(new Error('the tests have a key')),
    newRunId: () => 'test',
    commandLine: { command: ['npx', '--no', 'hub-sandbox'], options: [] },
    clientFiles: {},
    forkPlaces: { taken: 0 },
    segments: createLogSegments(),
    runAdvice: createRunAdvice(),
    server: { close: async () => undefined, destroy: () => undefined },
  }
  const fixtures = {
    fixtures: completeFixtures({}),
    fixturesHash: '',
    fixturesOpenOrigins: false,
    fixturesSource: 'the test',
  }
  const deps = wholeSandbox(services.create(start, domain.deps), fixtures, start)
  async function fetchSite(url: URL): Promise<FetchedDocument> {
    const site = sites.get(url.href)
    if (site === undefined) throw new Error('nothing listens there')
    return site
  }
  const server = await buildApp(deps, {
    ...more,
    issuerKeys: createIssuerKeys({ ...domain.deps, fetchDocument: fetchSite }),
    clients: createClients({
      ...domain.deps,
      fetchDocument: notingFetch(deps.requests.fetches, fetchSite),
    }),
  })
  return { domain, server, requests: deps.requests, guesses: deps.guesses, sites }
}
