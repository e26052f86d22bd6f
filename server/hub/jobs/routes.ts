import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { RunJobBody } from '../../contract/hub-jobs.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { EventStreams } from '../http/event-streams.ts'
import { logOf, metricsOf, stagesOf, whileRunning } from '../http/job-streams.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { dateOf } from '../../core/time.ts'
import { Refusal } from '../../core/refusal.ts'
import { hardware } from './hardware.ts'
import { findJobs, listJobs } from './job-list.ts'
import { completeSpec, findSpecIssues } from './job-spec.ts'
import { hubJob } from './job-view.ts'
import { isOver } from './job-stage.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { namespaceOfRoute } from '../http/namespace-of-route.ts'
import { linkNextPage } from '../http/next-page.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import type { Job } from '../../store/entities/webhook-entities.ts'
import { nameKey } from '../../store/state.ts'

/** Jobs of users and organizations. */
export const hubJobRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  const { jobs } = deps
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const describe = ({ root }: FastifyRequest, job: Job) => hubJob(deps, job, root)

  const streams = new EventStreams(deps)
  deps.closers.add(() => streams.end())

  hub(app, 'GET /api/jobs/hardware', () => hardware)

  hub(app, 'POST /api/jobs/:namespace', (request) => {
    const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
    const spec = requireSpec(request.body)
    const initiator = { type: 'user' as const, id: user.id }
    return describe(request, jobs.run({ owner, spec, initiator, creatorId: user.id }))
  })

  hub(app, 'GET /api/jobs/:namespace', (request, reply) => {
    const { owner } = namespaceOfRoute(deps, request, 'jobs')
    const { items, nextCursor } = listJobs(deps, owner.name, request.query)
    if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
    return reply.send(items.map((job) => describe(request, job)))
  })

  hub(app, 'GET /api/jobs/:namespace/count', (request) => {
    const { owner } = namespaceOfRoute(deps, request, 'jobs')
    return { count: findJobs(deps, owner.name, request.query).length }
  })

  const identify = (request: FastifyRequest) => {
    const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
    return {
      namespace: { id: owner.id, name: owner.name },
      user: { id: user.id, name: user.username },
    }
  }
  hub(app, 'POST /api/jobs/:namespace/auth-check/:perms', identify)
  hub(app, 'POST /api/jobs/:namespace/:id/auth-check/:perms', (request) => {
    jobOf(deps, request)
    return identify(request)
  })

  hub(app, 'GET /api/jobs/:namespace/:id', (request) => describe(request, jobOf(deps, request)))

  hub(app, 'POST /api/jobs/:namespace/:id/cancel', (request) =>
    describe(request, jobs.cancel(jobOf(deps, request))),
  )

  hub(app, 'POST /api/jobs/:namespace/:id/duplicate', (request) => {
    const { id, spec, ofWebhook = false } = jobOf(deps, request)
    const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
    const initiator = { type: 'duplicated-job' as const, id }
    return describe(request, jobs.run({ owner, spec, initiator, creatorId: user.id, ofWebhook }))
  })

  hub(app, 'PUT /api/jobs/:namespace/:id/labels', (request) =>
    describe(request, jobs.setLabels(jobOf(deps, request), request.body.labels)),
  )

  hub(app, 'PUT /api/jobs/:namespace/:id/expose', (request) =>
    describe(request, jobs.setPorts(jobOf(deps, request), omitUndefined(request.body))),
  )

  hub(app, 'GET /api/jobs/:namespace/:id/logs', (request, reply) => {
    const job = jobOf(deps, request)
    const source = whileRunning(deps, job, logOf(jobs, job, request.query.tail))
    const stream = streams.open(request, reply, source)
    return (
      reply
        .type('text/event-stream')
        .header('cache-control', 'no-cache')
        // The Python client treats lines later than this date as being printed just now.
        .header('date', dateOf(deps.clock.now()).toUTCString())
        .send(stream)
    )
  })

  hub(app, 'GET /api/jobs/:namespace/:id/events', (request, reply) => {
    const job = jobOf(deps, request)
    const source = whileRunning(deps, job, stagesOf(deps, job))
    const stream = streams.open(request, reply, source)
    return reply.type('text/event-stream').header('cache-control', 'no-cache').send(stream)
  })

  hub(app, 'GET /api/jobs/:namespace/:id/metrics', (request, reply) => {
    const job = jobOf(deps, request)
    // The Python client takes this status as the end of the job.
    if (isOver(job)) throw new HttpRefusal(406, 'invalid', 'The job is not running')
    const source = whileRunning(deps, job, metricsOf(deps, job))
    const stream = streams.open(request, reply, source)
    return reply.type('text/event-stream').header('cache-control', 'no-cache').send(stream)
  })
}

/** @throws {Refusal} `invalid` with every issue */
function requireSpec(body: RunJobBody) {
  const issues = findSpecIssues(body)
  if (issues.length === 0) return completeSpec(body)
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')
  throw new Refusal('invalid', message, { issues })
}

/** @throws {Refusal} as {@link namespaceOfRoute}, `not_found` for an unknown job */
function jobOf(deps: Deps, request: FastifyRequest): Job {
  const { owner } = namespaceOfRoute(deps, request, 'jobs')
  const { id } = request.params as { id: string }
  const job = deps.state.jobs.get(id)
  if (job !== undefined && nameKey(job.namespace) === nameKey(owner.name)) return job
  throw new Refusal('not_found', 'Job not found', { detail: `${owner.name} has no job ${id}` })
}
