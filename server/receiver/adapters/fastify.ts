import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MountedHandler } from './node.ts'

// The little of Fastify that is used, so that the package's types do not ask for Fastify's.
interface FastifyInstance {
  /** The path that it is registered below. */
  prefix: string
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: Error | null) => void) => void,
  ): unknown
  all(
    path: string,
    handler: (
      request: { raw: IncomingMessage },
      reply: { raw: ServerResponse; hijack(): unknown },
    ) => void,
  ): unknown
}

/** Fits `app.register`. */
export type FastifyPlugin = (
  app: FastifyInstance,
  options: unknown,
  done: (error?: Error) => void,
) => void

/** Answers below `/webhooks`. Only there Fastify leaves bodies unread: a plugin has its own parsers. */
export function fastifyPlugin(handle: MountedHandler): FastifyPlugin {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    for (const path of ['/webhooks', '/webhooks/*']) {
      app.all(path, (request, reply) => {
        reply.hijack()
        handle(request.raw, reply.raw, app.prefix)
      })
    }
    done()
  }
}
