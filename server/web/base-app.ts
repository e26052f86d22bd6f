import type { Server } from 'node:http'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Settings } from '../core/settings.ts'
import { originForm } from './plugins/absolute-form.ts'
import {
  type MalformedRequest,
  type NameRequest,
  refuseAddress,
  refuseMalformed,
  registerResponseHeaders,
} from './plugins/response-headers.ts'
import { registerBodyEncodings } from './plugins/body-encodings.ts'
import { registerBodyParsers } from './plugins/bodies.ts'
import { registerHeadRequests, routeHeadAsGet } from './plugins/head-requests.ts'
import { registerHostGuard } from './plugins/host-guard.ts'
import { schemaController } from './plugins/schemas.ts'
import { registerStalledBodies } from './plugins/stalled-bodies.ts'

export interface BaseOptions {
  settings: Settings
  /** Request ids of one sandbox, shared by its apps. */
  nextRequestId: () => string
  /** Time after which a stalled body is given up. */
  stallMs: number
  /** Log of the server; absent = none. */
  logger?: { level: string; stream: { write(line: string): void } }
}

/** Builds what all apps of a sandbox share: parsers, limits and the first hooks. */
export function buildBaseApp(
  { settings, nextRequestId, stallMs, logger }: BaseOptions,
  {
    server,
    nameRequest,
    noteMalformed,
  }: {
    server?: Server | undefined
    nameRequest?: NameRequest
    noteMalformed?: (malformed: MalformedRequest) => void
  } = {},
): FastifyInstance {
  const app = fastify({
    ...(server === undefined ? {} : { serverFactory: () => server }),
    ...omitUndefined({ logger }),
    // The request log records every request already.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    genReqId: nextRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    rewriteUrl(request) {
      routeHeadAsGet(request)
      return originForm(request)
    },
    // Otherwise each plugin would start a timer while the app is built; none waits for anything outside.
    pluginTimeout: 0,
    clientErrorHandler: (error, socket) =>
      refuseMalformed(error, socket, nameRequest, noteMalformed),
    frameworkErrors: (error, request, reply) => refuseAddress(error, request, reply, nameRequest),
    // An access token is a parameter of the control API, and the more scopes it has, the longer it is.
    routerOptions: { maxParamLength: 5000 },
    schemaController,
  })
  registerHeadRequests(app)
  registerBodyEncodings(app)
  registerBodyParsers(app)
  registerResponseHeaders(app, nameRequest)
  registerStalledBodies(app, stallMs)
  registerHostGuard(app, settings)
  return app
}

/**
 * Creates request ids like Fastify's.
 * @param isTaken checks for the id in a recorded run, whose ids were created in the same way
 */
export function createRequestIds(isTaken: (id: string) => boolean): () => string {
  let count = 0
  return () => {
    for (;;) {
      const id = `req-${(++count).toString(36)}`
      if (!isTaken(id)) return id
    }
  }
}
