import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ServerDeps } from '../server-deps.ts'
import { packageRoot } from '../../core/package-root.ts'
import { equalSecrets } from '../../core/secrets.ts'
import {
  controlCookieOf,
  type ControlRefusal,
  controlTokenRefusal,
} from '../../web/plugins/control-guard.ts'
import { renderErrorPage } from '../../hub/pages/error-page.ts'
import { formatCookie } from '../../web/plugins/cookies.ts'
import { sendPage } from '../../web/plugins/page-headers.ts'

/**
 * Headers of the dashboard: everything comes from the sandbox itself, except framed apps on this machine, and nothing may
 * frame it.
 */
const dashboardHeaders = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; frame-src 'self' http://127.0.0.1:* http://localhost:* https://127.0.0.1:* https://localhost:*; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
}

const forBrowsers = { hide: true }

/** The built dashboard: its files, and its page for every other path below `/_sandbox/`. */
export const dashboardRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  const root = dashboardFolder()
  if (root === undefined) {
    app.get('/_sandbox/', { schema: forBrowsers }, (_request, reply) =>
      reply.code(404).send({
        error: 'not_built',
        message: 'The dashboard is not built. Run `npm run build`, or start with `npm start`.',
      }),
    )
    return
  }
  const { fastifyStatic } = await import('@fastify/static')
  await app.register(fastifyStatic, {
    root,
    serve: false,
    // The build has packed them.
    preCompressed: true,
    setHeaders(reply) {
      for (const [name, value] of Object.entries(dashboardHeaders)) reply.header(name, value)
    },
  })
  const sendDashboard = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false })

  const controlCookieFor = (token: string) => {
    const { name, value } = controlCookieOf(deps.settings, token)
    return formatCookie(name, value, {
      secure: deps.settings.baseUrl.startsWith('https:'),
      path: '/_sandbox',
    })
  }

  app.get('/_sandbox', { schema: forBrowsers }, (_request, reply) =>
    reply.redirect('/_sandbox/', 308),
  )

  app.get<{ Params: { '*': string }; Querystring: { token?: unknown } }>(
    '/_sandbox/*',
    { schema: forBrowsers },
    (request, reply) => {
      const { token } = request.query
      const { controlToken } = deps.settings
      if (controlToken !== undefined) {
        if (typeof token === 'string' && equalSecrets(token, controlToken)) {
          return reply.header('set-cookie', controlCookieFor(token)).redirect('/_sandbox/', 303)
        }
        const refusal = controlTokenRefusal(deps.settings, request.headers)
        if (refusal !== undefined) return askForToken(reply, refusal)
      }
      const path = request.params['*']
      if (path.startsWith('api/')) {
        return reply.code(404).send({
          error: 'not_found',
          message: `The control API has nothing at /_sandbox/${path}.`,
        })
      }
      // Built files carry a hash of their content in their names.
      if (path.startsWith('assets/')) {
        return reply.sendFile(path, { maxAge: '1y', immutable: true })
      }
      // Addresses of pages may hold names with dots; files outside assets/ lie at the top.
      return /^[^/]+\.\w+$/.test(path) ? reply.sendFile(path) : sendDashboard(reply)
    },
  )
}

function askForToken(
  reply: FastifyReply,
  { status, error, message }: ControlRefusal,
): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="hub-sandbox control"')
  const description =
    status === 401 ? 'Open the dashboard URL that the sandbox printed when it started.' : message
  const title = 'The dashboard requires a token'
  return sendPage(reply, status, renderErrorPage({ title, error, description }))
}

function dashboardFolder(): string | undefined {
  const folder = join(packageRoot, 'dist', 'renderer')
  const isBuilt = existsSync(join(folder, 'index.html')) && existsSync(join(folder, 'assets'))
  return isBuilt ? folder : undefined
}
