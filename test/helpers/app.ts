import { createAudits } from '../../server/audit/runs.ts'
import { visitPage } from '../../server/network/visit-page.ts'
import { createAdviceExceptions } from '../../server/advice/exceptions.ts'
import { createRunAdvice } from '../../server/advice/run-advice.ts'
import { onTestFinished } from 'vitest'
import { createOutgoing } from '../../server/network/outgoing.ts'
import { type AppOptions, buildApp } from '../../server/http/app.ts'
import type { SandboxApp } from '../../server/http/front-door.ts'
import type { Fixtures } from '../../server/contract/fixtures-types.ts'
import { openListeners } from '../../server/sandbox/listen.ts'
import { realTime } from '../../server/sandbox/real-time.ts'
import type { ServerDeps } from '../../server/http/server-deps.ts'
import type { Settings } from '../../server/core/settings.ts'
import { createEventLog } from '../../server/events/log.ts'
import { notingFetch } from '../../server/requests/flows/document-fetches.ts'
import { createRecordedRun } from '../../server/requests/exports/recorded-run.ts'
import { createRequestLog, type RequestLog } from '../../server/requests/log/request-log.ts'
import { Git } from '../../server/git/git.ts'
import { createJobs } from '../../server/hub/jobs/jobs.ts'
import { createScheduledJobs } from '../../server/hub/jobs/scheduled-jobs.ts'
import { createIssuerKeys } from '../../server/oauth/ci/issuer-keys.ts'
import { createClients, type FetchedDocument } from '../../server/oauth/metadata-document.ts'
import { createBarriers } from '../../server/lab/faults/barriers.ts'
import { createDemos } from '../../server/lab/demos/demos.ts'
import { createForks } from '../../server/lab/triggers/forks.ts'
import { createTemporaryWebhooks } from '../../server/lab/triggers/temporary-webhooks.ts'
import { createFaults } from '../../server/lab/faults/faults.ts'
import { createWebhookEngine } from '../../server/webhooks/engine/engine.ts'
import { createFrames } from '../../server/network/frames/frames.ts'
import { createLinks } from '../../server/network/links.ts'
import { createLfsTransfers } from '../../server/hub/uploads/lfs-transfers.ts'
import { createBucketFeed } from '../../server/hub/buckets/bucket-feed.ts'
import { createXetTokens } from '../../server/hub/xet/xet-tokens.ts'
import { createRateLimits } from '../../server/hub/access/rate-limits.ts'
import { type CodeGuesses, createCodeGuesses } from '../../server/oauth/code-guesses.ts'
import { createLogSegments } from '../../server/lab/triggers/log-segments.ts'
import { createRepeats } from '../../server/lab/triggers/repeats.ts'
import type { TargetPolicy } from '../../server/network/target.ts'
import { createDomain, populate, type TestWorld } from './deps.ts'

export interface TestApp extends TestWorld {
  server: SandboxApp
  requests: RequestLog
  guesses: CodeGuesses
  /** Sites that metadata documents are fetched from, by address; any other cannot be reached. */
  sites: Map<string, FetchedDocument>
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
  return { ...domain, ...accounts, server, requests, guesses, sites }
}

async function build(
  changes: Partial<Settings>,
  more: Pick<AppOptions, 'server' | 'stallMs'> = {},
) {
  const domain = await createDomain(changes)
  const { settings, clock, ids, bus } = domain.deps
  const sites = new Map<string, FetchedDocument>()
  const jobs = createJobs(domain.deps, () => {
    throw new Error('tests of the server run no jobs')
  })
  const policy: TargetPolicy = {
    allowNetwork: false,
    ownPorts: () => [],
    resolve: (hostname) => Promise.reject(new Error(`tests resolve nothing: ${hostname}`)),
  }
  const engine = createWebhookEngine(domain.deps, {
    committed: () => undefined,
    wire: createOutgoing(policy),
    jobs,
    realTime,
  })
  const unused = () => {
    throw new Error('the state of these tests is not replaced')
  }
  const requests = createRequestLog(settings.caps, clock)
  const deps: ServerDeps = {
    ...domain.deps,
    engine,
    jobs,
    scheduledJobs: createScheduledJobs(domain.deps, jobs),
    git: new Git(domain.deps),
    links: createLinks(domain.deps, policy),
    frames: createFrames(domain.deps, policy, { realNow: () => clock.realNow() }),
    repeats: createRepeats(domain.deps),
    demos: createDemos({ ids, clock, realTime }),
    realTime,
    guesses: createCodeGuesses(clock),
    limits: createRateLimits(domain.deps),
    lfs: createLfsTransfers(domain.deps),
    xet: createXetTokens(domain.deps, () => 'storage'),
    bucketFeed: createBucketFeed(domain.deps, () => 'run'),
    temporaryWebhooks: createTemporaryWebhooks(domain.deps),
    forks: createForks(settings.caps.forks),
    forkPlaces: { taken: 0 },
    segments: createLogSegments(),
    recordedRun: createRecordedRun(domain.deps),
    live: createEventLog(bus, 'test', {
      flowIdOf: (requestId) => requests.flows.ofRequest(requestId)?.id,
    }),
    adviceExceptions: createAdviceExceptions(),
    runAdvice: createRunAdvice(),
    audits: createAudits({ bus, clock, ids }, realTime),
    visitPage: (request) => visitPage(request, policy),
    requests,
    faults: createFaults({ clock, ids, bus }),
    barriers: createBarriers({ ids, bus }),
    fixtures: (): Fixtures => unused(),
    stageFixtures: unused,
    clientFiles: {},
    uptimeMs: () => 0,
    fixturesSource: 'the test',
    commandLine: { command: ['npx', '--no', 'hub-sandbox'], options: [] },
    committed: () => undefined,
    captureState: unused,
    replaceState: unused,
    placeIds: () => undefined,
    reset: unused,
    loadFixtures: unused,
    requestStop: () => undefined,
    onStopRequest: () => undefined,
    onClose: () => undefined,
    closing: () => undefined,
  }
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
