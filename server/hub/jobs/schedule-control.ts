import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { createScheduledJobByHand } from './create-job.ts'
import type { ScheduledJob } from '../../store/entities/webhook-entities.ts'
import { nameKey } from '../../store/state.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'
import { checkNamespaceFilter } from '../access/namespace-filter.ts'
import { filtered, newestFirst, pageOf } from '../../web/page.ts'
import { describeJob, describeScheduledJob } from './control-view.ts'
import { accountName } from '../access/refs.ts'

/** Jobs that run at times of the sandbox clock. */
export const scheduledJobRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  const { state, scheduledJobs } = deps

  control(app, 'GET scheduled-jobs', async ({ query }) => {
    checkNamespaceFilter(state, 'namespace', query.namespace)
    const wanted = query.namespace === undefined ? undefined : nameKey(query.namespace)
    return pageOf(
      filtered(
        newestFirst(state.scheduledJobs.values()),
        ({ ownerId }) => wanted === undefined || nameKey(accountName(deps, ownerId)) === wanted,
      ),
      query,
      ({ id }) => id,
      (scheduled) => describeScheduledJob(deps, scheduled),
    )
  })

  control(app, 'POST scheduled-jobs', async ({ body }) =>
    describeScheduledJob(deps, createScheduledJobByHand(deps, body)),
  )

  control(app, 'GET scheduled-jobs/:id', async ({ params }) =>
    describeScheduledJob(deps, find(params.id)),
  )

  control(app, 'PATCH scheduled-jobs/:id', async ({ params, body }) =>
    describeScheduledJob(deps, scheduledJobs.change(find(params.id), omitUndefined(body))),
  )

  control(app, 'POST scheduled-jobs/:id/run', async ({ params }) =>
    describeJob(deps, scheduledJobs.trigger(find(params.id))),
  )

  control(app, 'DELETE scheduled-jobs/:id', async ({ params }) => {
    scheduledJobs.delete(find(params.id))
    return {}
  })

  function find(id: string): ScheduledJob {
    const scheduled = state.scheduledJobs.get(id)
    if (scheduled !== undefined) return scheduled
    throw new Refusal('not_found', `No scheduled job has the id ${id}.`)
  }
}
