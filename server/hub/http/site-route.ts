import type { FastifyInstance } from 'fastify'
import { type SiteApi, siteApi } from '../../contract/site-api.ts'
import {
  type EndpointHandler,
  registerEndpoint,
  type RouteOptions,
} from '../../web/register-endpoint.ts'

/** Registers the routes of an endpoint of the Hub outside of its API by its row in `siteApi`. */
export function site<Key extends keyof SiteApi>(
  app: FastifyInstance,
  key: Key,
  handler: EndpointHandler<SiteApi[Key], Key>,
  options?: RouteOptions,
): void {
  registerEndpoint<SiteApi[Key], Key>(app, key, siteApi[key], handler, options)
}
