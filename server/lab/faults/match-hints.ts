import type { FaultMatch } from '../../contract/control-faults.ts'
import { fitsPattern } from '../../contract/fits-pattern.ts'
import { suggestion } from '../../contract/suggestion.ts'
import type { State } from '../../state/state.ts'
import { withStars } from './route-pattern.ts'

interface HintDeps {
  state: Pick<State, 'apps' | 'webhooks'>
  routes: readonly { readonly url: string }[]
}

/**
 * Warns about unknown names in a rule, which may be typing errors. They are allowed: an app may be registered later, and a
 * rule may respond at a path that the sandbox does not serve.
 */
export function matchHints({ state, routes }: HintDeps, match: FaultMatch): string[] {
  const { route, clientId, webhookId } = match
  const hints: string[] = []
  const hint = route === undefined ? undefined : routeHint(routes, route)
  if (hint !== undefined) hints.push(hint)
  if (clientId !== undefined && state.apps.get(clientId) === undefined) {
    const apps = [...state.apps.values()]
    const known = [...apps.map(({ name }) => name), ...apps.map(({ id }) => id)]
    hints.push(`There is no app ${clientId}${suggestion(clientId, known)}.`)
  }
  if (webhookId !== undefined && webhookId !== '*' && state.webhooks.get(webhookId) === undefined) {
    const ids = [...state.webhooks.values()].map(({ id }) => id)
    hints.push(`There is no webhook ${webhookId}${suggestion(webhookId, ids)}.`)
  }
  return hints
}

function routeHint(routes: HintDeps['routes'], given: string): string | undefined {
  if (given.startsWith('/_sandbox')) return `Rules do not apply to the sandbox's own path ${given}.`
  const route = withStars(given)
  const patterns = routes
    .map(({ url }) => url.replaceAll(/:\w+/g, '*'))
    .filter((pattern) => !pattern.startsWith('/_sandbox'))
  // Pages of accounts and repos match almost any mistyped path.
  const [open, named] = partition(patterns, (pattern) => pattern.startsWith('/*'))
  if (named.some((pattern) => mayMeet(route, pattern))) return undefined
  const near = suggestion(route, named)
  if (near === '' && open.some((pattern) => mayMeet(route, pattern))) return undefined
  return `Unknown path ${given}${near}.`
}

function partition<T>(items: readonly T[], fits: (item: T) => boolean): [fitting: T[], rest: T[]] {
  return [items.filter(fits), items.filter((item) => !fits(item))]
}

/** Returns whether some path matches both patterns; each `*` also matches a `*` of the other. */
function mayMeet(route: string, pattern: string): boolean {
  return fitsPattern(route, pattern) || fitsPattern(pattern, route)
}
