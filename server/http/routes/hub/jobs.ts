import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccessAction } from '../../../hub/access/access-rules.ts'
import {
  JobFilterQuery,
  JobLabelsBody,
  JobListQuery,
  JobLogsQuery,
  RunJobBody,
} from '../../../contract/hub-jobs.ts'
import type { Deps } from '../../../events/deps.ts'
import { EventStreams } from '../../event-streams.ts'
import { logOf, metricsOf, stagesOf, whileRunning } from '../../job-streams.ts'
import type { HubServices } from '../../hub-services.ts'
import { dateOf } from '../../../core/time.ts'
import { Refusal } from '../../../core/refusal.ts'
import { hardware } from '../../../hub/jobs/hardware.ts'
import { findJobs, listJobs } from '../../../hub/jobs/job-list.ts'
import { completeSpec, findSpecIssues } from '../../../hub/jobs/job-spec.ts'
import { hubJob } from '../../../hub/jobs/job-view.ts'
import { isOver } from '../../../hub/jobs/job-stage.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { namespaceOfRoute } from '../../plugins/namespace-of-route.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { HttpRefusal } from '../../plugins/refusals.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import type { Job } from '../../../state/entities/webhooks.ts'
import { nameKey } from '../../../state/state.ts'

const tags = ['jobs']
const inNamespace = Type.Object({ namespace: Type.String({ description: 'User or organization' }) })
const oneJob = Type.Object({
  ...inNamespace.properties,
  id: Type.String({ description: '24 hex digits' }),
})

/** Jobs of users and organizations. */
export const hubJobRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  const { jobs } = deps
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const describe = ({ root }: FastifyRequest, job: Job) => hubJob(deps, job, root)
  const forUsersTo = (action: AccessAction) => ({
    config: { needsUser: true as const, actions: [action] as const },
  })
  const streams = new EventStreams(deps)
  deps.closers.add(() => streams.end())

  app.get(
    '/api/jobs/hardware',
    { config: { actions: ['hub.facts'] }, schema: { summary: 'List the hardware', tags } },
    () => hardware,
  )

  app.post(
    '/api/jobs/:namespace',
    {
      ...forUsersTo('jobs'),
      schema: { summary: 'Run a job', tags, params: inNamespace, body: RunJobBody },
    },
    (request) => {
      const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
      const spec = requireSpec(request.body)
      const initiator = { type: 'user' as const, id: user.id }
      return describe(request, jobs.run({ owner, spec, initiator, creatorId: user.id }))
    },
  )

  app.get(
    '/api/jobs/:namespace',
    {
      config: { actions: ['jobs'] },
      schema: {
        summary: 'List jobs',
        tags,
        params: inNamespace,
        querystring: JobListQuery,
      },
    },
    (request, reply) => {
      const { owner } = namespaceOfRoute(deps, request, 'jobs')
      const { items, nextCursor } = listJobs(deps, owner.name, request.query)
      if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
      return reply.send(items.map((job) => describe(request, job)))
    },
  )

  app.get(
    '/api/jobs/:namespace/count',
    {
      config: { actions: ['jobs'] },
      schema: {
        summary: 'Count jobs',
        tags,
        params: inNamespace,
        querystring: JobFilterQuery,
      },
    },
    (request) => {
      const { owner } = namespaceOfRoute(deps, request, 'jobs')
      return { count: findJobs(deps, owner.name, request.query).length }
    },
  )

  app.get(
    '/api/jobs/:namespace/:id',
    { config: { actions: ['jobs'] }, schema: { summary: 'Get a job', tags, params: oneJob } },
    (request) => describe(request, jobOf(deps, request)),
  )

  app.post(
    '/api/jobs/:namespace/:id/cancel',
    { config: { actions: ['jobs'] }, schema: { summary: 'Cancel a job', tags, params: oneJob } },
    (request) => describe(request, jobs.cancel(jobOf(deps, request))),
  )

  app.post(
    '/api/jobs/:namespace/:id/duplicate',
    { config: { actions: ['jobs'] }, schema: { summary: 'Run a job again', tags, params: oneJob } },
    (request) => {
      const { id, spec, ofWebhook = false } = jobOf(deps, request)
      const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
      const initiator = { type: 'duplicated-job' as const, id }
      return describe(request, jobs.run({ owner, spec, initiator, creatorId: user.id, ofWebhook }))
    },
  )

  app.put(
    '/api/jobs/:namespace/:id/labels',
    {
      ...forUsersTo('jobs'),
      schema: { summary: 'Label a job', tags, params: oneJob, body: JobLabelsBody },
    },
    (request) => describe(request, jobs.setLabels(jobOf(deps, request), request.body.labels)),
  )

  app.get(
    '/api/jobs/:namespace/:id/logs',
    {
      config: { actions: ['jobs'] },
      schema: {
        summary: 'Stream the log of a job as server-sent events',
        tags,
        params: oneJob,
        querystring: JobLogsQuery,
      },
    },
    (request, reply) => {
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
    },
  )

  app.get(
    '/api/jobs/:namespace/:id/events',
    {
      config: { actions: ['jobs'] },
      schema: { summary: 'Stream the stages of a job as server-sent events', tags, params: oneJob },
    },
    (request, reply) => {
      const job = jobOf(deps, request)
      const source = whileRunning(deps, job, stagesOf(deps, job))
      const stream = streams.open(request, reply, source)
      return reply.type('text/event-stream').header('cache-control', 'no-cache').send(stream)
    },
  )

  app.get(
    '/api/jobs/:namespace/:id/metrics',
    {
      config: { actions: ['jobs'] },
      schema: {
        summary: 'Stream the metrics of a running job as server-sent events',
        tags,
        params: oneJob,
      },
    },
    (request, reply) => {
      const job = jobOf(deps, request)
      // The Python client takes this status as the end of the job.
      if (isOver(job)) throw new HttpRefusal(406, 'invalid', 'The job is not running')
      const source = whileRunning(deps, job, metricsOf(deps, job))
      const stream = streams.open(request, reply, source)
      return reply.type('text/event-stream').header('cache-control', 'no-cache').send(stream)
    },
  )
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
