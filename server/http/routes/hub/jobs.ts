import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  JobFilterQuery,
  JobLabelsBody,
  JobListQuery,
  JobLogsQuery,
  RunJobBody,
} from '../../../contract/hub-jobs.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { permit } from '../../../hub/access/access.ts'
import { dateOf, isoTime } from '../../../core/time.ts'
import { Refusal } from '../../../core/refusal.ts'
import { clearInterval, setInterval } from '../../../core/timers.ts'
import { findNamespace, type NamespaceOwner } from '../../../hub/files/repo-names.ts'
import { hardware } from '../../../hub/jobs/hardware.ts'
import { findJobs, listJobs } from '../../../hub/jobs/job-list.ts'
import type { JobLine } from '../../../hub/jobs/job-log.ts'
import { completeSpec, findSpecIssues } from '../../../hub/jobs/job-spec.ts'
import { hubJob } from '../../../hub/jobs/job-view.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import type { User } from '../../../state/entities/accounts.ts'
import type { Job } from '../../../state/entities/webhooks.ts'
import { nameKey } from '../../../state/state.ts'

const tags = ['jobs']
const inNamespace = Type.Object({ namespace: Type.String({ description: 'User or organization' }) })
const oneJob = Type.Object({
  ...inNamespace.properties,
  id: Type.String({ description: '24 hex digits' }),
})

/** Clients take a silent stream for a dead one. */
const keepAliveMs = 30_000

/** The part of the hub's jobs API that webhooks with a job need. */
export const hubJobRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  const { jobs } = deps
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const forUsers = { config: { needsUser: true as const } }
  // Streams that are open: a server with one cannot close.
  const endings = new Set<() => void>()
  deps.onClose(() => {
    for (const end of endings) end()
  })

  app.get('/api/jobs/hardware', { schema: { summary: 'List the hardware', tags } }, () => hardware)

  app.post(
    '/api/jobs/:namespace',
    { ...forUsers, schema: { summary: 'Run a job', tags, params: inNamespace, body: RunJobBody } },
    (request) => {
      const { owner, user } = namespaceOf(request)
      const issues = findSpecIssues(request.body)
      if (issues.length > 0) {
        const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')
        throw new Refusal('invalid', message, { issues })
      }
      const spec = completeSpec(request.body)
      const initiator = { type: 'user' as const, id: user.id }
      return answer(request, jobs.run({ owner, spec, initiator, creatorId: user.id }))
    },
  )

  app.get(
    '/api/jobs/:namespace',
    {
      schema: {
        summary: 'List jobs',
        tags,
        params: inNamespace,
        querystring: JobListQuery,
      },
    },
    (request, reply) => {
      const { owner } = namespaceOf(request)
      const { items, nextCursor } = listJobs(deps, owner.name, request.query)
      if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
      return reply.send(items.map((job) => answer(request, job)))
    },
  )

  app.get(
    '/api/jobs/:namespace/count',
    {
      schema: {
        summary: 'Count jobs',
        tags,
        params: inNamespace,
        querystring: JobFilterQuery,
      },
    },
    (request) => {
      const { owner } = namespaceOf(request)
      return { count: findJobs(deps, owner.name, request.query).length }
    },
  )

  app.get(
    '/api/jobs/:namespace/:id',
    { schema: { summary: 'Read a job', tags, params: oneJob } },
    (request) => answer(request, jobOf(request)),
  )

  app.post(
    '/api/jobs/:namespace/:id/cancel',
    { schema: { summary: 'Cancel a job', tags, params: oneJob } },
    (request) => answer(request, jobs.cancel(jobOf(request))),
  )

  app.post(
    '/api/jobs/:namespace/:id/duplicate',
    { schema: { summary: 'Run a job again', tags, params: oneJob } },
    (request) => {
      const { id, spec, ofWebhook = false } = jobOf(request)
      const { owner, user } = namespaceOf(request)
      const initiator = { type: 'duplicated-job' as const, id }
      return answer(request, jobs.run({ owner, spec, initiator, creatorId: user.id, ofWebhook }))
    },
  )

  app.put(
    '/api/jobs/:namespace/:id/labels',
    { ...forUsers, schema: { summary: 'Label a job', tags, params: oneJob, body: JobLabelsBody } },
    (request) => answer(request, jobs.setLabels(jobOf(request), request.body.labels)),
  )

  app.get(
    '/api/jobs/:namespace/:id/logs',
    {
      schema: {
        summary: 'Follow what a job prints, as server-sent events',
        tags,
        params: oneJob,
        querystring: JobLogsQuery,
      },
    },
    (request, reply) => {
      const stream = streamLogs(jobOf(request), request.query.tail)
      return (
        reply
          .type('text/event-stream')
          .header('cache-control', 'no-cache')
          // The Python client takes a line that is later than the answer for one that is just being printed.
          .header('date', dateOf(deps.clock.now()).toUTCString())
          .send(stream)
      )
    },
  )

  function namespaceOf({ principal, params }: FastifyRequest): {
    owner: NamespaceOwner
    user: User
  } {
    const { namespace } = params as { namespace: string }
    const owner = findNamespace(deps.state, namespace)
    permit(deps, principal, { action: 'jobs', ownerId: owner?.id ?? '' })
    if (owner === undefined || principal.kind === 'anonymous') {
      throw new Refusal('not_found', `There is no user or organization ${namespace}`)
    }
    return { owner, user: principal.user }
  }

  function jobOf(request: FastifyRequest): Job {
    const { owner } = namespaceOf(request)
    const { id } = request.params as { id: string }
    const job = deps.state.jobs.get(id)
    if (job !== undefined && nameKey(job.namespace) === nameKey(owner.name)) return job
    throw new Refusal('not_found', 'Job not found', { detail: `${owner.name} has no job ${id}` })
  }

  /** What was printed so far, then what comes, until the job is over. */
  function streamLogs(job: Job, tail: number | undefined): Readable {
    const stream = new Readable({ read() {} })
    const send = (line: JobLine) => {
      const timestamp = isoTime(line.at)
      stream.push(`data: ${JSON.stringify({ data: line.text, timestamp })}\n\n`)
    }
    const lines = jobs.logs.read(job.id)
    for (const line of tail === undefined ? lines : lines.slice(lines.length - tail)) send(line)
    const stopFollowing = jobs.logs.follow(job.id, send)
    const keepAlive = setInterval(() => stream.push(': keep-alive\n\n'), keepAliveMs)
    stream.on('close', () => {
      stopFollowing()
      clearInterval(keepAlive)
      endings.delete(end)
    })
    const end = () => {
      if (!stream.destroyed) stream.push(null)
    }
    void jobs.whenOver(job.id).then(end)
    endings.add(end)
    return stream
  }

  function answer({ root }: FastifyRequest, job: Job) {
    return hubJob(deps, job, root)
  }
}
