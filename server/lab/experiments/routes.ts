import type { FastifyPluginAsync } from 'fastify'
import { createExperiments } from './run-experiments.ts'
import type { Inject } from '../../web/inject.ts'
import type { ServerDeps } from '../server-deps.ts'
import { stageOf } from '../demos/routes.ts'
import { control } from '../../web/control-route.ts'
import { describeRequest } from '../requests/view.ts'

export const experimentRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const experiments = createExperiments(deps, {
    realTime: deps.realTime,
    requests: () =>
      Array.from(deps.requests.newestFirst(), (record) => ({
        ...describeRequest(deps, record, deps.requests.flows.ofRequest(record.id)?.id),
        responseId: String(record.response.headers['x-request-id']),
      })),
    play: (kind, around) => {
      const stage = stageOf(inject, deps)
      return deps.demos.start(
        { ...stage, send: around((message) => stage.send(message)) },
        { kind },
      )
    },
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
