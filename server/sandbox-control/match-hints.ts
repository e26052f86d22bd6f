import type { FaultMatch } from '../contract/control-faults.ts'
import { suggestion } from '../core/suggestion.ts'
import type { State } from '../state/state.ts'
import { fitsPattern } from './matching.ts'
import type { DocumentedRoute } from './openapi.ts'

interface HintDeps {
  state: Pick<State, 'apps' | 'webhooks'>
  routes: readonly DocumentedRoute[]
}

/**
 * What a rule names that is not there, and was perhaps mistyped. No refusal: an app may be registered later, and a rule
 * may stand in for an address that the sandbox does not serve.
 */
export function matchHints({ state, routes }: HintDeps, match: FaultMatch): string[] {
  const { route, clientId, webhookId } = match
  const hints: string[] = []
  const urls = routes.map(({ url }) => url).filter((url) => !url.startsWith('/_sandbox'))
  if (route !== undefined && !urls.some((url) => mayMeet(route, url))) {
    const near = suggestion(route, urls.map(withStars))
    hints.push(`The sandbox has nothing at ${route}${near}.`)
  }
  if (clientId !== undefined && state.apps.get(clientId) === undefined) {
    const ids = [...state.apps.values()].map(({ id }) => id)
    hints.push(`There is no app ${clientId}${suggestion(clientId, ids)}.`)
  }
  if (webhookId !== undefined && webhookId !== '*' && state.webhooks.get(webhookId) === undefined) {
    const ids = [...state.webhooks.values()].map(({ id }) => id)
    hints.push(`There is no webhook ${webhookId}${suggestion(webhookId, ids)}.`)
  }
  return hints
}

/** `/api/repos/:name` as a rule would write it. */
function withStars(url: string): string {
  return url.replaceAll(/:\w+/g, '*')
}

/** Whether some path fits both; a part of a path is taken for a star, so that two patterns can be compared. */
function mayMeet(route: string, url: string): boolean {
  const pattern = withStars(url)
  return fitsPattern(route, pattern) || fitsPattern(pattern, route)
}
