import type { FastifyInstance } from 'fastify'
import { type HubApi, hubApi } from '../../contract/hub-api.ts'
import {
  type CheckedEndpoint,
  type EndpointHandler,
  registerEndpoint,
  type RouteOptions,
} from '../../web/register-endpoint.ts'

const checked: Readonly<Record<keyof HubApi, CheckedEndpoint>> = hubApi

/** Registers the routes of an endpoint of the Hub's API by its row in `hubApi`. */
export function hub<Key extends keyof HubApi>(
  app: FastifyInstance,
  key: Key,
  handler: EndpointHandler<HubApi[Key], Key>,
  options?: RouteOptions,
): void {
  registerEndpoint<HubApi[Key], Key>(
    app,
    key,
    checked[key] as HubApi[Key] & CheckedEndpoint,
    handler,
    options,
  )
}
