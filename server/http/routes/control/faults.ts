import type { FastifyPluginAsync } from 'fastify'
import type { FaultMatch } from '../../../contract/control-faults.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { matchHints } from '../../../faults/match-hints.ts'
import type { DocumentedRoute } from '../../openapi.ts'
import { control } from './endpoint.ts'

/** Rules name routes, so they know which there are. */
type RuleRoutes = FastifyPluginAsync<{
  deps: ServerDeps
  documented: readonly DocumentedRoute[]
}>

export const faultRoutes: RuleRoutes = async (app, { deps, documented: routes }) => {
  const { faults, state } = deps
  const hintsFor = (match: FaultMatch) => withHints(matchHints({ state, routes }, match))

  control(app, 'GET faults', async () => ({ items: faults.list() }))
  control(app, 'POST faults', async ({ body }) => ({
    ...faults.add(body),
    ...hintsFor(body.match),
  }))
  control(
    app,
    'GET faults/:id',
    async (request) => faults.get(request.params.id) ?? refuseUnknown(request.params.id),
  )
  control(app, 'DELETE faults/:id', async (request) => {
    const { id } = request.params
    return faults.remove(id) ? {} : refuseUnknown(id)
  })
  control(app, 'DELETE faults', async () => {
    faults.clear()
    return {}
  })
}

export const barrierRoutes: RuleRoutes = async (app, { deps, documented: routes }) => {
  const { barriers, state } = deps
  const hintsFor = (match: FaultMatch) => withHints(matchHints({ state, routes }, match))

  control(app, 'GET barriers', async () => ({ items: barriers.list() }))
  control(app, 'POST barriers', async ({ body }) => ({
    ...barriers.add(body),
    ...hintsFor(body.match),
  }))
  control(
    app,
    'GET barriers/:id',
    async (request) => barriers.get(request.params.id) ?? refuseUnknown(request.params.id),
  )
  control(app, 'POST barriers/:id/release', async (request) =>
    barriers.release(request.params.id, request.body?.order),
  )
}

function withHints(hints: string[]): { hints?: string[] } {
  return hints.length === 0 ? {} : { hints }
}

function refuseUnknown(id: string): never {
  throw new Refusal('not_found', `There is no rule ${id}.`)
}
