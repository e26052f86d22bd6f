import type { FaultMatch } from '../../contract/control-faults.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { grantTypes } from '../../contract/words/oauth-words.ts'
import type { Issue } from '../../core/config-error.ts'
import { appHint } from '../../store/lookups.ts'
import type { State } from '../../store/state.ts'
import { withStars } from './route-pattern.ts'

interface CheckDeps {
  state: Pick<State, 'apps' | 'webhooks'>
  routes: readonly { readonly url: string; readonly method: string }[]
}

/** What is wrong with the match of a rule. */
export interface MatchReport {
  /** Mistakes: no request can match. */
  issues: Issue[]
  /** Warnings: an app may be registered later, and a rule may respond at a path that the sandbox does not serve. */
  hints: string[]
}

/** Finds names in a rule that match nothing: those like a known name are mistakes, others may appear later. */
export function checkMatch({ state, routes }: CheckDeps, match: FaultMatch): MatchReport {
  const { route, method, grantType, clientId, webhookId } = match
  const report: MatchReport = { issues: [], hints: [] }
  if (method !== undefined) checkMethod(report, method)
  if (route !== undefined && report.issues.length === 0) checkRoute(report, routes, route, method)
  if (grantType !== undefined && !grantTypes.some((known) => known === grantType)) {
    const near = suggestion(grantType, grantTypes)
    note(report, 'grantType', `Unknown grant type ${grantType}${near}.`, near !== '')
  }
  if (clientId !== undefined && state.apps.get(clientId) === undefined) {
    const near = appHint(state, clientId)
    note(report, 'clientId', `There is no app ${clientId}${near}.`, near !== '')
  }
  if (webhookId !== undefined && webhookId !== '*' && state.webhooks.get(webhookId) === undefined) {
    const ids = [...state.webhooks.values()].map(({ id }) => id)
    const message = `There is no webhook ${webhookId}${suggestion(webhookId, ids)}.`
    note(report, 'webhookId', message, true)
  }
  return report
}

function note(
  { issues, hints }: MatchReport,
  member: keyof FaultMatch,
  message: string,
  isMistake: boolean,
): void {
  if (isMistake) issues.push({ path: `match.${member}`, message })
  else hints.push(message)
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function checkMethod(report: MatchReport, given: string): void {
  if (methods.includes(given.toUpperCase())) return
  note(report, 'method', `Unknown method ${given}${suggestion(given, methods)}.`, true)
}

function checkRoute(
  report: MatchReport,
  routes: CheckDeps['routes'],
  given: string,
  method: string | undefined,
): void {
  const mistake = (message: string) => note(report, 'route', message, true)
  if (!/^[/*]/.test(given)) {
    const path = URL.canParse(given) ? new URL(given).pathname : `/${given}`
    return mistake(`A route is a path: use ${path} in place of ${given}.`)
  }
  if (/[?#]/.test(given)) {
    return mistake(`A route is a path without its query: use ${given.replace(/[?#].*$/s, '')}.`)
  }
  if (given.startsWith('/_sandbox')) {
    return mistake(`${given} is a path of the sandbox itself, not of the Hub.`)
  }
  const route = withStars(given)
  const known = routes
    .flatMap(({ url, method: served }) =>
      patternsOf(url).map((pattern) => ({ pattern, served: served.toUpperCase() })),
    )
    .filter(({ pattern }) => !pattern.startsWith('/_sandbox'))
  // Pages of accounts and repos match almost any mistyped path, but no path of an API.
  const named = known.filter(({ pattern }) => !pattern.startsWith('/*'))
  const patterns = new Set(known.map(({ pattern }) => pattern))
  const met = new Set([...patterns].filter((pattern) => mayMeet(route, pattern)))
  const served = methodsOf(known.filter(({ pattern }) => met.has(pattern)))
  if (named.some(({ pattern }) => met.has(pattern))) {
    if (method === undefined || served.has(method.toUpperCase())) return
    const message = `No route ${given} has the method ${method.toUpperCase()}: ${join(served)}.`
    return note(report, 'method', message, true)
  }
  const near = suggestion(
    route,
    named.map(({ pattern }) => pattern),
  )
  if (near === '' && served.size > 0 && !/^\/(?:api|oauth|\.well-known)\//.test(route)) return
  note(report, 'route', `Unknown path ${given}${near}.`, near !== '')
}

/** Returns the patterns of a route: `/api/:types(models|spaces)/:name` is `/api/models/*` and `/api/spaces/*`. */
function patternsOf(url: string): string[] {
  const [choice = '', names = ''] = /:\w+\(([\w|]+)\)/.exec(url) ?? []
  if (choice === '') return [url.replaceAll(/:\w+(?:\([^)]*\))?/g, '*')]
  return names.split('|').flatMap((name) => patternsOf(url.replace(choice, name)))
}

/** Methods of routes, with those that every server adds. */
function methodsOf(routes: readonly { served: string }[]): ReadonlySet<string> {
  const served = routes.map((route) => route.served)
  if (served.length === 0) return new Set()
  return new Set([...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
}

function join(served: ReadonlySet<string>): string {
  const own = [...served].filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
  return `use ${own.join(' or ')}`
}

/** Returns whether some path matches both patterns. */
function mayMeet(one: string, other: string): boolean {
  // reach[at]: whether the text so far can end both here in `one` and at `at` in `other`.
  let reach = passStars(other, Uint8Array.of(1, ...new Uint8Array(other.length)))
  for (const letter of one) {
    const first = reach.indexOf(1)
    if (first < 0) return false
    const next = new Uint8Array(other.length + 1)
    if (letter === '*') next.fill(1, first)
    else {
      for (let at = first; at <= other.length; at++) {
        if (reach[at] !== 1) continue
        if (other[at] === '*') next[at] = 1
        else if (other[at] === letter) next[at + 1] = 1
      }
    }
    reach = passStars(other, next)
  }
  return reach[other.length] === 1
}

/** A star also matches no text. */
function passStars(pattern: string, reach: Uint8Array): Uint8Array {
  for (let at = 0; at < pattern.length; at++) {
    if (reach[at] === 1 && pattern[at] === '*') reach[at + 1] = 1
  }
  return reach
}
