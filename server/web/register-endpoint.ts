import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
} from 'fastify'
import { omitUndefined } from '../core/omit-undefined.ts'
import {
  type HubEndpoint,
  type HubInput,
  type HubParams,
  type HubResponse,
  pathsOf,
} from '../contract/hub-endpoint.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Row of the route in the table of the Hub. */
    endpoint?: HubEndpoint
  }
}

/** Endpoint whose actions are those of the access rules. */
export type CheckedEndpoint = HubEndpoint & {
  access?: Pick<FastifyContextConfig, keyof NonNullable<HubEndpoint['access']>>
}

type EndpointRequest<E extends HubEndpoint, Key extends string> = FastifyRequest<{
  Params: HubParams<E, Key>
  Querystring: HubInput<E, 'query'>
  Headers: HubInput<E, 'headers'>
  Body: HubInput<E, 'body'>
}>

/** Handler that returns the response body, sent with the status of the table, or a reply with another status or a stream. */
export type EndpointHandler<E extends HubEndpoint, Key extends string> = (
  request: EndpointRequest<E, Key>,
  reply: FastifyReply,
) => HubResponse<E> | FastifyReply | Promise<HubResponse<E> | FastifyReply>

/** Options of a route that its row does not have. */
export interface RouteOptions {
  config?: FastifyContextConfig
  preValidation?: preValidationHookHandler | preValidationAsyncHookHandler
}

const pathsByKey = new Map<string, ReturnType<typeof pathsOf>>()

/** Returns the paths of an endpoint, computed once for all sandboxes of the process: schemas take long to create. */
function knownPaths(key: string, endpoint: HubEndpoint): ReturnType<typeof pathsOf> {
  const paths = pathsByKey.get(key) ?? pathsOf(key, endpoint)
  pathsByKey.set(key, paths)
  return paths
}

/** Registers the routes of an endpoint: its row validates the request and describes the response. */
export function registerEndpoint<E extends HubEndpoint, Key extends string>(
  app: FastifyInstance,
  key: Key,
  endpoint: E & CheckedEndpoint,
  handler: EndpointHandler<E, Key>,
  { config, preValidation }: RouteOptions = {},
): void {
  const [method = ''] = key.split(' ', 1)
  const { status, bodyLimit, access, query: querystring, headers, body }: CheckedEndpoint = endpoint
  for (const { url, params } of knownPaths(key, endpoint)) {
    app.route({
      method,
      url,
      config: { ...access, ...config, endpoint },
      ...omitUndefined({ bodyLimit, preValidation }),
      schema: {
        ...(Object.keys(params.properties).length > 0 && { params }),
        ...omitUndefined({ querystring, headers, body }),
      },
      handler(request, reply) {
        if (status !== undefined) reply.code(status)
        // By the schema above, which the types come from, too.
        return handler(request as EndpointRequest<E, Key>, reply)
      },
    })
  }
}
