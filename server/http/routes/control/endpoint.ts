import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify'
import { Type } from 'typebox'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { refusals } from '../../../contract/control.ts'
import { controlApi, type Endpoint } from '../../../contract/control-api.ts'
import type { ControlKey, ControlPart, ControlReply } from '../../../contract/control-call.ts'
import type { ServerDeps } from '../../server-deps.ts'

/** Routes of one resource of the control API. */
export type ControlRoutes = FastifyPluginAsync<{ deps: ServerDeps }>

type ControlRequest<K extends ControlKey> = FastifyRequest<{
  Params: ControlPart<K, 'params'>
  Querystring: ControlPart<K, 'query'>
  Headers: ControlPart<K, 'headers'>
  Body: ControlPart<K, 'body'>
}>

/** Answers by value, with the status of the table; a reply is for what sets another, or is a stream. */
type ControlHandler<K extends ControlKey> = (
  request: ControlRequest<K>,
  reply: FastifyReply,
) => ControlReply<K> | FastifyReply | Promise<ControlReply<K> | FastifyReply>

/**
 * Registers the route of an endpoint of the control API. What it takes is checked, and its answer shaped, by the table.
 * @param app where addresses begin below `/_sandbox/api`
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

/** The same for every sandbox of the process: what Fastify makes ready of it is made once. */
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
    // A filter that is misspelt would list everything, and nobody would notice.
    querystring: { ...(query ?? Type.Object({})), additionalProperties: false },
    response: {
      [endpoint.status ?? 200]: endpoint.answer,
      ...endpoint.otherwise,
      ...refusals,
    },
  }
}
