import { Refusal } from '../../core/refusal.ts'
import { createJobByHand } from './create-job.ts'
import { newestFirst, pageOf } from '../../web/page.ts'
import { describeJob, describeJobWithLogs } from './control-view.ts'
import type { Job } from '../../store/entities/webhook-entities.ts'
import { nameKey } from '../../store/state.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'
import { checkNamespaceFilter } from '../access/namespace-filter.ts'

export const jobRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  const { jobs } = deps.state

  control(app, 'GET jobs', async ({ query }) => {
    checkNamespaceFilter(deps.state, 'namespace', query.namespace)
    const all =
      query.namespace === undefined
        ? jobs.values()
        : jobs.group('namespace', nameKey(query.namespace))
    return pageOf(
      newestFirst(all).filter(({ stage }) => query.stage === undefined || stage === query.stage),
      query,
      ({ id }) => id,
      (job) => describeJob(deps, job),
    )
  })

  control(app, 'POST jobs', async ({ body }) => describeJob(deps, createJobByHand(deps, body)))

  control(app, 'GET jobs/:id', async (request) =>
    describeJobWithLogs(deps, find(request.params.id)),
  )

  control(app, 'DELETE jobs/:id', async (request) =>
    describeJob(deps, deps.jobs.cancel(find(request.params.id))),
  )

  function find(id: string): Job {
    const job = jobs.get(id)
    if (job === undefined) throw new Refusal('not_found', `There is no job ${id}.`)
    return job
  }
}
