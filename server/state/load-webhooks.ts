import type { JobFixture, JobSpecFixture, WebhookFixture } from '../contract/fixtures-types.ts'
import { parseDuration } from '../core/duration.ts'
import { findNamespace } from '../hub/repo-names.ts'
import type { JobSpec } from './entities/webhooks.ts'
import type { NameIds } from './fixture-names.ts'
import type { LoadDeps } from './load-fixtures.ts'

export function loadWebhook({ state }: LoadDeps, ids: NameIds, fixture: WebhookFixture): void {
  const { name, url, job, secret } = fixture
  state.webhooks.put({
    id: fixture.id,
    ownerId: ids.user(fixture.owner),
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(job === undefined ? {} : { job: jobSpecOf(job) }),
    watched: fixture.watched.map((watched) => ({ ...watched })),
    domains: [...fixture.domains],
    ...(secret === undefined ? {} : { secret }),
    status: fixture.status,
    consecutiveFailures: 0,
    ...(fixture.order === 'parallel' ? {} : { order: fixture.order }),
    createdAt: Date.parse(fixture.createdAt),
  })
}

/** A run that is over; nothing is started. */
export function loadJob({ state }: LoadDeps, ids: NameIds, fixture: JobFixture): void {
  const { message } = fixture
  const at = Date.parse(fixture.createdAt)
  state.jobs.put({
    id: fixture.id,
    namespace: fixture.namespace,
    ownerId: ids.namespace(fixture.namespace),
    ownerType: findNamespace(state, fixture.namespace)?.kind ?? 'user',
    spec: jobSpecOf(fixture),
    stage: fixture.stage,
    ...(message === undefined ? {} : { message }),
    initiatorType: 'user',
    initiatorId: ids.user(fixture.initiator),
    executed: false,
    createdAt: at,
    startedAt: at,
    finishedAt: at,
  })
  if (fixture.logs.length === 0) return
  const lines = fixture.logs.map((text) => ({ at, text }))
  state.jobLogs.put({ id: `${fixture.id}/1`, jobId: fixture.id, lines })
}

function jobSpecOf(fixture: JobSpecFixture): JobSpec {
  const { dockerImage, spaceId, timeout } = fixture
  return {
    ...(dockerImage === undefined ? {} : { dockerImage }),
    ...(spaceId === undefined ? {} : { spaceId }),
    command: [...fixture.command],
    arguments: [...fixture.arguments],
    environment: { ...fixture.environment },
    secrets: { ...fixture.secrets },
    flavor: fixture.flavor,
    timeoutSeconds: timeout === undefined ? null : Math.round((parseDuration(timeout) ?? 0) / 1000),
    labels: { ...fixture.labels },
  }
}
