import type { FastifyInstance, RouteOptions } from 'fastify'
import { type AccessAction, accessRules } from '../access/access-rules.ts'

/** Methods that always change something; a POST may be a query that is too long for a URL. */
const changingMethods: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

/** Refuses to register a route without an action of the access rules, so that no route is open by oversight. */
export function requireNamedActions(app: FastifyInstance): void {
  app.addHook('onRoute', assertNamesAction)
}

/**
 * Checks that a route names an action, and that a route that changes something names one that readers may not do.
 * @throws {TypeError} a programming error
 */
export function assertNamesAction({ method, url, config }: RouteOptions): void {
  const named = namedActions(config)
  const route = `${[method].flat().join(', ')} ${url}`
  if (named.length === 0) throw new TypeError(`${route} names no action of the access table`)
  const changes = [method].flat().some((name) => changingMethods.has(name))
  if (changes && named.every((action) => 'reads' in accessRules[action])) {
    throw new TypeError(`${route} names only actions of readers`)
  }
}

/** Returns the actions that a route names. */
export function namedActions(config: RouteOptions['config'] = {}): AccessAction[] {
  const { repoAction, accountAction, actions = [] } = config
  return [repoAction, accountAction, ...actions].filter((action) => action !== undefined)
}
