import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccessAction } from '../../../hub/access/access-rules.ts'
import {
  CreateScheduledJobBody,
  JobLabelsBody,
  ScheduleBody,
  ScheduledJobListQuery,
} from '../../../contract/hub-jobs.ts'
import { Refusal } from '../../../core/refusal.ts'
import { hasLabels } from '../../../hub/jobs/job-list.ts'
import { hubJob } from '../../../hub/jobs/job-view.ts'
import { hubScheduledJob } from '../../../hub/jobs/scheduled-job-view.ts'
import type { ScheduledJob } from '../../../state/entities/webhooks.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { namespaceOfRoute } from '../../plugins/namespace-of-route.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['jobs']
const inNamespace = Type.Object({ namespace: Type.String({ description: 'User or organization' }) })
const params = Type.Object({
  ...inNamespace.properties,
  id: Type.String({ description: '24 hex digits' }),
})
const route = '/api/scheduled-jobs/:namespace'

/** Jobs of users and organizations that run at times of the sandbox clock. */
export const scheduledJobRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  const { scheduledJobs } = deps
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const forUsersTo = (action: AccessAction) => ({
    config: { needsUser: true as const, actions: [action] as const },
  })

  function describe(request: FastifyRequest, scheduled: ScheduledJob) {
    const { owner } = namespaceOfRoute(deps, request, 'jobs')
    return hubScheduledJob(deps, scheduled, { owner, root: request.root })
  }

  function scheduledJobOf(request: FastifyRequest): ScheduledJob {
    const { owner } = namespaceOfRoute(deps, request, 'jobs')
    const { id } = request.params as { id: string }
    const found = deps.state.scheduledJobs.get(id)
    if (found?.ownerId === owner.id) return found
    throw new Refusal('not_found', 'Scheduled job not found', {
      detail: `${owner.name} has no scheduled job ${id}`,
    })
  }

  app.post(
    route,
    {
      ...forUsersTo('jobs'),
      schema: {
        summary: 'Create a scheduled job',
        tags,
        params: inNamespace,
        body: CreateScheduledJobBody,
      },
    },
    (request) => {
      const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
      const { body } = request
      return describe(request, scheduledJobs.create({ owner, creatorId: user.id, body }))
    },
  )

  app.get(
    route,
    {
      config: { actions: ['jobs'] },
      schema: {
        summary: 'List scheduled jobs',
        tags,
        params: inNamespace,
        querystring: ScheduledJobListQuery,
      },
    },
    (request) => {
      const { owner } = namespaceOfRoute(deps, request, 'jobs')
      return deps.state.scheduledJobs
        .group('owner', owner.id)
        .toReversed()
        .filter(({ spec }) => hasLabels(spec, request.query.label))
        .map((scheduled) => describe(request, scheduled))
    },
  )

  app.get(
    `${route}/:id`,
    { config: { actions: ['jobs'] }, schema: { summary: 'Get a scheduled job', tags, params } },
    (request) => describe(request, scheduledJobOf(request)),
  )

  app.delete(
    `${route}/:id`,
    { config: { actions: ['jobs'] }, schema: { summary: 'Delete a scheduled job', tags, params } },
    (request) => {
      scheduledJobs.delete(scheduledJobOf(request))
      return {}
    },
  )

  const switches = [
    ['suspend', 'Suspend a scheduled job', true],
    ['resume', 'Resume a scheduled job', false],
  ] as const
  for (const [path, summary, suspend] of switches) {
    app.post(
      `${route}/:id/${path}`,
      { config: { actions: ['jobs'] }, schema: { summary, tags, params } },
      (request) => describe(request, scheduledJobs.change(scheduledJobOf(request), { suspend })),
    )
  }

  app.post(
    `${route}/:id/run`,
    { config: { actions: ['jobs'] }, schema: { summary: 'Run a scheduled job now', tags, params } },
    (request) => hubJob(deps, scheduledJobs.trigger(scheduledJobOf(request)), request.root),
  )

  app.post(
    `${route}/:id/schedule`,
    {
      ...forUsersTo('jobs'),
      schema: { summary: 'Change the schedule of a job', tags, params, body: ScheduleBody },
    },
    (request) => describe(request, scheduledJobs.change(scheduledJobOf(request), request.body)),
  )

  app.put(
    `${route}/:id/labels`,
    {
      ...forUsersTo('jobs'),
      schema: { summary: 'Label a scheduled job', tags, params, body: JobLabelsBody },
    },
    (request) => {
      const { labels } = request.body
      return describe(request, scheduledJobs.change(scheduledJobOf(request), { labels }))
    },
  )
}
