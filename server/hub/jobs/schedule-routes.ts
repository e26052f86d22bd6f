import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { hasLabels } from './job-list.ts'
import { hubJob } from './job-view.ts'
import { hubScheduledJob } from './scheduled-job-view.ts'
import type { ScheduledJob } from '../../store/entities/webhook-entities.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { namespaceOfRoute } from '../http/namespace-of-route.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Jobs of users and organizations that run at times of the sandbox clock. */
export const scheduledJobRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  const { scheduledJobs } = deps
  registerHubErrors(app)
  registerPrincipal(app, deps)

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

  hub(app, 'POST /api/scheduled-jobs/:namespace', (request) => {
    const { owner, user } = namespaceOfRoute(deps, request, 'jobs')
    const { body } = request
    return describe(request, scheduledJobs.create({ owner, creatorId: user.id, body }))
  })

  hub(app, 'GET /api/scheduled-jobs/:namespace', (request) => {
    const { owner } = namespaceOfRoute(deps, request, 'jobs')
    return deps.state.scheduledJobs
      .group('owner', owner.id)
      .toReversed()
      .filter(({ spec }) => hasLabels(spec, request.query.label))
      .map((scheduled) => describe(request, scheduled))
  })

  hub(app, 'GET /api/scheduled-jobs/:namespace/:id', (request) =>
    describe(request, scheduledJobOf(request)),
  )

  hub(app, 'DELETE /api/scheduled-jobs/:namespace/:id', (request) => {
    scheduledJobs.delete(scheduledJobOf(request))
    return {}
  })

  hub(app, 'POST /api/scheduled-jobs/:namespace/:id/suspend', (request) =>
    describe(request, scheduledJobs.change(scheduledJobOf(request), { suspend: true })),
  )

  hub(app, 'POST /api/scheduled-jobs/:namespace/:id/resume', (request) =>
    describe(request, scheduledJobs.change(scheduledJobOf(request), { suspend: false })),
  )

  hub(app, 'POST /api/scheduled-jobs/:namespace/:id/run', (request) =>
    hubJob(deps, scheduledJobs.trigger(scheduledJobOf(request)), request.root),
  )

  hub(app, 'POST /api/scheduled-jobs/:namespace/:id/schedule', (request) =>
    describe(request, scheduledJobs.change(scheduledJobOf(request), request.body)),
  )

  hub(app, 'PUT /api/scheduled-jobs/:namespace/:id/labels', (request) => {
    const { labels } = request.body
    return describe(request, scheduledJobs.change(scheduledJobOf(request), { labels }))
  })
}
