import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../server/app.ts'
import type { Fixtures } from '../../server/contract/fixtures-types.ts'
import type { ServerDeps } from '../../server/core/server-deps.ts'
import type { Settings } from '../../server/core/settings.ts'
import { createEventLog } from '../../server/events/log.ts'
import { createRequestLog, type RequestLog } from '../../server/events/request-log.ts'
import { createJobs } from '../../server/jobs/jobs.ts'
import { createClientFinder, type FetchedDocument } from '../../server/oauth/metadata-document.ts'
import { createBarriers } from '../../server/sandbox-control/barriers.ts'
import { createFaults } from '../../server/sandbox-control/faults.ts'
import { createWebhookEngine } from '../../server/webhooks/engine.ts'
import { createTestDeps, type TestWorld } from './deps.ts'

export interface TestApp extends TestWorld {
  server: FastifyInstance
  requests: RequestLog
  /** Sites that metadata documents are fetched from, by address; any other cannot be reached. */
  sites: Map<string, FetchedDocument>
}

/** The whole server over {@link createTestDeps}, for requests by `inject`; it delivers and runs nothing. */
export async function buildTestApp(changes: Partial<Settings> = {}): Promise<TestApp> {
  const world = await createTestDeps(changes)
  const { deps: domain, documents } = world
  const { settings, clock, ids, bus } = domain
  const sites = new Map<string, FetchedDocument>()
  const jobs = createJobs(domain, () => {
    throw new Error('tests of the server run no jobs')
  })
  const engine = createWebhookEngine(domain, {
    committed: () => undefined,
    policy: {
      allowNetwork: false,
      ownPorts: () => [],
      resolve: (hostname) => Promise.reject(new Error(`tests resolve nothing: ${hostname}`)),
    },
    jobs,
  })
  const unused = () => {
    throw new Error('the state of these tests is not replaced')
  }
  const deps: ServerDeps = {
    ...domain,
    engine,
    jobs,
    live: createEventLog(bus, 'test'),
    requests: createRequestLog(settings.caps.requests),
    faults: createFaults({ clock, ids, bus }),
    barriers: createBarriers({ ids }),
    fixtures: (): Fixtures => unused(),
    fixturesSource: 'the test',
    committed: () => undefined,
    replaceState: unused,
    reset: unused,
    onClose: () => undefined,
    closing: () => undefined,
  }
  const server = await buildApp(deps, {
    findClient: createClientFinder({
      ...domain,
      documents: () => documents,
      async fetchDocument(url) {
        const site = sites.get(url.href)
        if (site === undefined) throw new Error('nothing listens there')
        return site
      },
    }),
  })
  return { ...world, server, requests: deps.requests, sites }
}
