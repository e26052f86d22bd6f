import type { FastifyInstance } from 'fastify'
import { registerCommitBeforeResponse } from '../web/plugins/commit-before-response.ts'
import { registerHeaderLimit } from '../web/plugins/header-limits.ts'
import { registerFaults } from '../lab/faults/fault-hooks.ts'
import { registerOriginGuard } from '../web/plugins/origin-guard.ts'
import { registerRateLimits } from '../hub/http/rate-limit-hooks.ts'
import { registerRequestLog } from '../inspect/log/request-hooks.ts'
import { registerNotFound } from '../hub/pages/not-found.ts'
import type { ServerDeps } from '../lab/server-deps.ts'

const codeInReferer = /[?&#](?:code|access_token|refresh_token|id_token)=/

/** Registers the hooks of every request of the hub, in order, and the response for unknown paths. */
export function registerHubHooks(app: FastifyInstance, deps: ServerDeps): void {
  // Avatars are left out, because every page of the dashboard shows some, unless their `Referer` shows that a page leaks a code.
  registerRequestLog(
    app,
    deps,
    ({ url, headers }) => !url.startsWith('/avatars/') || codeInReferer.test(headers.referer ?? ''),
  )
  registerOriginGuard(app, deps)
  registerHeaderLimit(app)
  registerRateLimits(app, deps)
  registerFaults(app, deps)
  registerCommitBeforeResponse(app, deps)
  registerNotFound(app, deps)
}
