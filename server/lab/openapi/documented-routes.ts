import type { FastifyInstance } from 'fastify'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { DocumentedRoute } from './openapi.ts'
import { namedActions } from '../../hub/http/named-actions.ts'

declare module 'fastify' {
  /** Facts of a route for the OpenAPI document besides its schemas. */
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
    /** Left out of the document. */
    hide?: boolean
  }
}

/**
 * Collects every route that is registered from here on. The OpenAPI document is built at its first request.
 * @param before routes of another app, which come first
 */
export function collectRoutes(
  app: FastifyInstance,
  before: readonly DocumentedRoute[] = [],
): readonly DocumentedRoute[] {
  const routes = [...before]
  app.addHook('onRoute', ({ method, url, schema = {}, config }) => {
    if (schema.hide === true) return
    const actions = namedActions(config)
    const { endpoint } = config ?? {}
    for (const name of [method].flat()) {
      if (name === 'HEAD' || name === 'OPTIONS') continue
      routes.push({ method: name, url, schema, ...omitUndefined({ endpoint }), actions })
    }
  })
  return routes
}
