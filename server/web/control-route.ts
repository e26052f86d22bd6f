import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'
import { Type } from 'typebox'
import { omitUndefined } from '../core/omit-undefined.ts'
import { refusals } from '../contract/control.ts'
import { controlApi, type Endpoint } from '../contract/control-api.ts'
import type { ControlKey, ControlPart, ControlReply } from '../contract/control-call.ts'

/** Routes of one resource of the control API. */
export type ControlRoutes<Services> = FastifyPluginAsync<{ deps: Services }>

type ControlRequest<K extends ControlKey> = FastifyRequest<{
  Params: ControlPart<K, 'params'>
  Querystring: ControlPart<K, 'query'>
  Headers: ControlPart<K, 'headers'>
  Body: ControlPart<K, 'body'>
}>

/** Handler that returns the response body, sent with the status of the table, or a reply with another status or a stream. */
type ControlHandler<K extends ControlKey> = (
  request: ControlRequest<K>,
  reply: FastifyReply,
) => ControlReply<K> | FastifyReply | Promise<ControlReply<K> | FastifyReply>

/**
 * Registers the route of an endpoint of the control API. The table validates the request and shapes the response.
 * @param app with the prefix `/_sandbox/api`
 */
export function control<K extends ControlKey>(
  app: FastifyInstance,
  key: K,
  handler: ControlHandler<K>,
  config: FastifyContextConfig = {},
): void {
  const endpoint: Endpoint = controlApi[key]
  const [method = '', path = ''] = key.split(' ')
  app.route({
    method,
    url: `/${path}`,
    config,
    ...omitUndefined({ bodyLimit: endpoint.bodyLimit }),
    schema: schemaOf(endpoint),
    async handler(request, reply) {
      if (endpoint.status !== undefined) reply.code(endpoint.status)
      // By the schema above, which the types come from, too.
      return handler(request as ControlRequest<K>, reply)
    },
  })
}

const schemas = new WeakMap<Endpoint, FastifySchema>()

/** Returns one schema object for all sandboxes of the process, so that Fastify compiles it once. */
function schemaOf(endpoint: Endpoint): FastifySchema {
  const schema = schemas.get(endpoint) ?? describe(endpoint)
  schemas.set(endpoint, schema)
  return schema
}

function describe(endpoint: Endpoint): FastifySchema {
  const { summary, description, tag, params, query, headers, body } = endpoint
  return {
    summary,
    tags: [tag],
    ...omitUndefined({ description, params, headers, body }),
    // A misspelt filter would silently list everything.
    querystring: { ...(query ?? Type.Object({})), additionalProperties: false },
    response: {
      [endpoint.status ?? 200]: endpoint.response,
      ...endpoint.otherwise,
      ...refusals,
    },
  }
}
