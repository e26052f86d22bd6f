import type { FastifyPluginAsync } from 'fastify'
import { createExperiments } from '../../../lab/experiments/run-experiments.ts'
import type { Inject } from '../../inject.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { stageOf } from './demos.ts'
import { control } from './endpoint.ts'
import { describeRequest } from './views/requests.ts'

export const experimentRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const experiments = createExperiments(deps, {
    realTime: deps.realTime,
    requests: () =>
      Array.from(deps.requests.newestFirst(), (record) =>
        describeRequest(deps, record, deps.requests.flows.ofRequest(record.id)?.id),
      ),
    play: (kind) => deps.demos.start(stageOf(inject, deps), { kind }),
  })

  control(app, 'GET experiments', async () => ({ items: experiments.list() }))
  control(app, 'GET experiments/:id', async ({ params }) => experiments.get(params.id))
  control(app, 'POST experiments/:id/run', ({ params, body }) =>
    experiments.run(params.id, body ?? {}),
  )
  control(app, 'DELETE experiments/:id/run', async ({ params }) => {
    experiments.stop(params.id)
    return {}
  })
}
