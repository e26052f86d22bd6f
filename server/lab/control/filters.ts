import type { AdviceQuery } from '../../contract/control-advice.ts'
import type { DeliveryQuery } from '../../contract/control-deliveries.ts'
import type { RequestQuery } from '../../contract/control-requests.ts'
import { fitsPattern } from '../../contract/fits-pattern.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { eventScopes } from '../../contract/words/hub-words.ts'
import { listedDeliveryStates } from '../../contract/words/webhook-words.ts'
import type { Issue } from '../../core/config-error.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { refuseIssues } from '../../core/refusal.ts'
import { pathOf } from '../../core/request-target.ts'
import { checkMatch } from '../faults/check-match.ts'
import { partiesOf } from '../../inspect/flows/parties.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import { appHint } from '../../store/lookups.ts'
import { nameKey, type State } from '../../store/state.ts'
import { type DeliveryFilter, listDeliveries } from '../../hub/webhooks/views/activity.ts'
import type { DocumentedRoute } from '../openapi/openapi.ts'
import type { ServerDeps } from '../server-deps.ts'

// A filter by a name that does not exist is refused: an empty list would not say that the name is mistyped. The name of
// something deleted stays valid as long as the log has it.

/** @throws {Refusal} `invalid` for an unknown webhook, repo or scope that no delivery has */
export function checkDeliveryFilters(
  deps: Pick<ServerDeps, 'state' | 'engine'>,
  { webhookId, repo, scope, follow }: DeliveryQuery,
): void {
  const { state } = deps
  const issues = findWebhookIssues(deps, webhookId)
  // A repo may be created while a stream is open.
  if (
    repo !== undefined &&
    follow === undefined &&
    !isRepo(state, repo) &&
    !isLogged(deps, { repo })
  ) {
    const names = [...state.repos.values()].map(({ name }) => name)
    issues.push({ path: 'repo', message: `There is no repo ${repo}${suggestion(repo, names)}.` })
  }
  if (scope !== undefined) {
    const root = scope.replace(/\.\*$/, '')
    if (!eventScopes.some((known) => known === root) && !isLogged(deps, { scope })) {
      const known = eventScopes.join(', ')
      issues.push({ path: 'scope', message: `Unknown scope ${scope}: use one of ${known}.` })
    }
  }
  refuseIssues(issues)
}

function findWebhookIssues(
  deps: Pick<ServerDeps, 'state' | 'engine'>,
  webhookId: string | undefined,
): Issue[] {
  const { webhooks } = deps.state
  if (webhookId === undefined || webhooks.get(webhookId) !== undefined) return []
  if (isLogged(deps, { webhookId })) return []
  const ids = [...webhooks.values()].map(({ id }) => id)
  const message = `There is no webhook ${webhookId}${suggestion(webhookId, ids)}.`
  return [{ path: 'webhookId', message }]
}

function isLogged(deps: Pick<ServerDeps, 'state' | 'engine'>, filter: DeliveryFilter): boolean {
  const everything = { state: listedDeliveryStates, audits: true, limit: 1 }
  return listDeliveries(deps, { ...filter, ...everything }).items.length > 0
}

function isRepo({ repos }: Pick<State, 'repos'>, given: string): boolean {
  const wanted = nameKey(given)
  return [...repos.values()].some(({ type, name }) =>
    [nameKey(name), `${type}s/${nameKey(name)}`].includes(wanted),
  )
}

/** @throws {Refusal} `invalid` for a method, route, app or sign-in that no request has and none can have */
export function checkRequestFilters(
  deps: Pick<ServerDeps, 'state' | 'requests'>,
  routes: readonly DocumentedRoute[],
  { method, route, clientId, flowId }: RequestQuery,
): void {
  const { state, requests } = deps
  const hasLogged = new Map<string, (record: RequestRecord) => boolean>([
    ['method', (record) => record.method === method?.toUpperCase()],
    ['route', ({ url }) => route !== undefined && fitsPattern(route, pathOf(url))],
  ])
  const issues = checkMatch({ state, routes }, omitUndefined({ method, route }))
    .issues.map(({ path, message }) => ({ path: path.replace(/^match\./, ''), message }))
    .filter(({ path }) => {
      const test = hasLogged.get(path)
      return test === undefined || !requests.values().some(test)
    })
  if (flowId !== undefined && requests.flows.get(flowId) === undefined) {
    const message = `There is no sign-in ${flowId}: the log drops the oldest ones.`
    issues.push({ path: 'flowId', message })
  }
  refuseIssues([...issues, ...findAppIssues(deps, clientId)])
}

/**
 * Finds out that a filter names an app that does not exist and has sent no request. A URL may be the client id of an app
 * that is not known before its first request.
 */
function findAppIssues(
  { state, requests }: Pick<ServerDeps, 'state' | 'requests'>,
  clientId: string | undefined,
): Issue[] {
  if (clientId === undefined || state.apps.get(clientId) !== undefined) return []
  if (/^https?:\/\//.test(clientId)) return []
  const hasSent = requests
    .values()
    .some((record) => partiesOf({ state }, record).clientId === clientId)
  if (hasSent || state.tokens.group('client', clientId).length > 0) return []
  return [{ path: 'clientId', message: `There is no app ${clientId}${appHint(state, clientId)}.` }]
}

/** @throws {Refusal} `invalid` for an unknown app that has no token and has sent no request */
export function checkAppFilter(
  deps: Pick<ServerDeps, 'state' | 'requests'>,
  clientId: string | undefined,
): void {
  refuseIssues(findAppIssues(deps, clientId))
}

/** @throws {Refusal} `invalid` for an app or webhook that is unknown and was not judged */
export function checkAdviceFilters(
  deps: Pick<ServerDeps, 'state' | 'requests' | 'engine' | 'runAdvice'>,
  { clientId, webhookId, run }: AdviceQuery,
): void {
  const issues = [...findAppIssues(deps, clientId), ...findWebhookIssues(deps, webhookId)]
  const isJudged = (subject: string | undefined) =>
    subject !== undefined && deps.runAdvice.read().judgedOf.has(subject)
  if (issues.length === 0 || (run !== undefined && [clientId, webhookId].some(isJudged))) return
  refuseIssues(issues)
}
