import { omitUndefined } from '../core/omit-undefined.ts'
import type { Server } from 'node:http'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { ServerDeps } from './server-deps.ts'
import type { Clients } from '../oauth/client-authentication.ts'
import { createFormNonces } from '../oauth/form-nonce.ts'
import { originForm } from './plugins/absolute-form.ts'
import {
  createRequestNames,
  refuseAddress,
  refuseMalformed,
  registerAnswerHeaders,
} from './plugins/answer-headers.ts'
import { registerBodyParsers } from './plugins/bodies.ts'
import { registerCommitBeforeAnswer } from './plugins/commit-before-answer.ts'
import { collectRoutes } from './plugins/documented-routes.ts'
import { registerFaults } from './plugins/faults.ts'
import { registerHostGuard } from './plugins/host-guard.ts'
import { registerOriginGuard } from './plugins/origin-guard.ts'
import { registerRateLimits } from './plugins/rate-limits.ts'
import { registerRequestLog } from './plugins/request-log.ts'
import { schemaController } from './plugins/schemas.ts'
import { clientCallRoutes } from './routes/hub/client-calls.ts'
import { controlRoutes } from './routes/control/routes.ts'
import { dashboardRoutes } from './routes/pages/dashboard.ts'
import { identityRoutes } from './routes/hub/identity.ts'
import { hubJobRoutes } from './routes/hub/jobs.ts'
import { hubPageRoutes } from './routes/pages/hub-pages.ts'
import { loginRoutes } from './routes/pages/login.ts'
import { registerNotFound } from './routes/pages/not-found.ts'
import { oauthAuthorizeRoutes } from './routes/oauth/authorize.ts'
import { oauthDeviceRoutes } from './routes/oauth/device.ts'
import { oauthRegistrationRoutes } from './routes/oauth/registration.ts'
import { oauthTokenRoutes } from './routes/oauth/token.ts'
import { credentialRoutes, hubOrganizationRoutes } from './routes/hub/organizations.ts'
import { staticPageRoutes } from './routes/pages/static-pages.ts'
import { hubWebhookRoutes } from './routes/hub/webhooks.ts'
import { wellKnownRoutes } from './routes/oauth/well-known.ts'

export interface AppOptions {
  clients: Clients
  /** Listening already; absent = none, for requests by `inject`. */
  server?: Server
  /** Where the server logs; absent = nowhere. */
  logger?: { level: string; stream: { write(line: string): void } }
}

/** The whole server but for listening: hooks and routes in the order in which they act. */
export async function buildApp(
  deps: ServerDeps,
  { clients, server, logger }: AppOptions,
): Promise<FastifyInstance> {
  const nameRequest = createRequestNames(deps)
  const app = fastify({
    ...(server === undefined ? {} : { serverFactory: () => server }),
    ...omitUndefined({ logger }),
    // The request log keeps every request already.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    exposeHeadRoutes: true,
    rewriteUrl: originForm,
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, nameRequest),
    frameworkErrors: (error, request, reply) => refuseAddress(error, request, reply, nameRequest),
    routerOptions: { maxParamLength: 500 },
    schemaController,
  })

  const documented = collectRoutes(app)
  registerBodyParsers(app)
  registerAnswerHeaders(app, nameRequest)
  registerHostGuard(app, deps.settings)
  registerRequestLog(app, deps)
  registerOriginGuard(app, deps)
  registerRateLimits(app, deps)
  registerFaults(app, deps)
  registerCommitBeforeAnswer(app, deps)
  registerNotFound(app, deps)

  const nonces = createFormNonces(deps.ids.bytes(32))
  await app.register(wellKnownRoutes, { deps })
  await app.register(oauthAuthorizeRoutes, { deps, clients, nonces })
  await app.register(oauthTokenRoutes, { deps, clients })
  await app.register(oauthDeviceRoutes, { deps, nonces })
  await app.register(oauthRegistrationRoutes, { deps })
  await app.register(loginRoutes, { deps, nonces })
  await app.register(identityRoutes, { deps })
  await app.register(clientCallRoutes)
  await app.register(hubOrganizationRoutes, { deps })
  await app.register(credentialRoutes, { deps })
  await app.register(hubWebhookRoutes, { deps })
  await app.register(hubJobRoutes, { deps })
  await app.register(staticPageRoutes, { deps })
  await app.register(hubPageRoutes, { deps })
  await app.register(controlRoutes, { deps, findClient: clients.findOrFetch, documented })
  await app.register(dashboardRoutes, { deps })
  return app
}
