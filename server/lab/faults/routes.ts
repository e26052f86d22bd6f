import type { FastifyPluginAsync } from 'fastify'
import type { FaultMatch, FaultPreview } from '../../contract/control-faults.ts'
import { Refusal } from '../../core/refusal.ts'
import type { ServerDeps } from '../server-deps.ts'
import { checkMatch } from './check-match.ts'
import { describeDelivery } from '../../hub/webhooks/views/activity.ts'
import type { DocumentedRoute } from '../openapi/openapi.ts'
import { matchingDeliveries, matchingRequests } from './preview-fault.ts'
import { control } from '../../web/control-route.ts'
import { newestFirst } from '../../web/page.ts'
import { describeRequest } from '../requests/view.ts'

/** Faults name routes, so they need the list of routes. */
type RuleRoutes = FastifyPluginAsync<{
  deps: ServerDeps
  documented: readonly DocumentedRoute[]
}>

/** Limit of requests in a preview; the total is returned too. */
const mostPreviewed = 20

export const faultRoutes: RuleRoutes = async (app, { deps, documented: routes }) => {
  const { faults, state } = deps
  const hintsFor = (match: FaultMatch) => withHints(requireMatch({ state, routes }, match))

  control(app, 'GET faults', async () => ({ items: faults.list() }))
  control(app, 'POST faults', async ({ body }) => {
    const hints = hintsFor(body.match)
    return { ...faults.add(body), ...hints }
  })
  control(app, 'POST faults/preview', async ({ body: { match } }) => {
    const { issues, hints } = checkMatch({ state, routes }, match)
    const messages = [...issues.map(({ message }) => message), ...hints]
    return { ...preview(match), ...withHints(messages) }
  })
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

  function preview(match: FaultMatch): FaultPreview {
    if (match.webhookId !== undefined) {
      const concerned = newestFirst(matchingDeliveries(state.deliveries.values(), match))
      const considered = state.deliveries.size
      const deliveries = concerned.slice(0, mostPreviewed).map((one) => describeDelivery(deps, one))
      return { considered, matched: concerned.length, requests: [], deliveries }
    }
    const records = deps.requests.values()
    const concerned = newestFirst(matchingRequests(records, match))
    const requests = concerned
      .slice(0, mostPreviewed)
      .map((record) => describeRequest(deps, record, deps.requests.flows.ofRequest(record.id)?.id))
    return { considered: records.length, matched: concerned.length, requests, deliveries: [] }
  }
}

export const barrierRoutes: RuleRoutes = async (app, { deps, documented: routes }) => {
  const { barriers, state } = deps
  const hintsFor = (match: FaultMatch) => withHints(requireMatch({ state, routes }, match))

  control(app, 'GET barriers', async () => ({ items: barriers.list() }))
  control(app, 'POST barriers', async ({ body }) => {
    const hints = hintsFor(body.match)
    return { ...barriers.add(body), ...hints }
  })
  control(
    app,
    'GET barriers/:id',
    async (request) => barriers.get(request.params.id) ?? refuseUnknown(request.params.id),
  )
  control(app, 'POST barriers/:id/release', async (request) =>
    barriers.release(request.params.id, request.body?.order),
  )
}

/**
 * Checks the match of a new rule.
 * @returns warnings
 * @throws {Refusal} `invalid` when no request can match
 */
function requireMatch(deps: Parameters<typeof checkMatch>[0], match: FaultMatch): string[] {
  const { issues, hints } = checkMatch(deps, match)
  if (issues.length === 0) return hints
  const message = issues.map((issue) => issue.message).join(' ')
  throw new Refusal('invalid', message, { issues })
}

function withHints(hints: string[]): { hints?: string[] } {
  return hints.length === 0 ? {} : { hints }
}

function refuseUnknown(id: string): never {
  throw new Refusal('not_found', `There is no rule ${id}.`)
}
