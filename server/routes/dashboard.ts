import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ServerDeps } from '../core/server-deps.ts'
import { equalSecrets } from '../core/secrets.ts'
import { controlCookie } from '../plugins/control-guard.ts'
import { formatCookie } from '../plugins/cookies.ts'

/** Headers of the dashboard: everything comes from the sandbox itself, and nothing may frame it. */
const dashboardHeaders = {
  'Content-Security-Policy':
    "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

/** The built dashboard: files as they are, and its page for every address below `/_sandbox/` that is none. */
export const dashboardRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  const root = dashboardFolder()
  if (root === undefined) {
    app.get('/_sandbox/', (_request, reply) =>
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
    setHeaders(reply) {
      for (const [name, value] of Object.entries(dashboardHeaders)) reply.header(name, value)
    },
  })
  const sendPage = (reply: FastifyReply) =>
    reply.header('Cache-Control', 'no-cache').sendFile('index.html', { cacheControl: false })

  app.get('/_sandbox', (_request, reply) => reply.redirect('/_sandbox/', 308))

  app.get<{ Params: { '*': string }; Querystring: { token?: string } }>(
    '/_sandbox/*',
    (request, reply) => {
      const { token } = request.query
      const { controlToken, baseUrl } = deps.settings
      if (token !== undefined) {
        if (controlToken !== undefined && equalSecrets(token, controlToken)) {
          const secure = baseUrl.startsWith('https:')
          reply.header(
            'Set-Cookie',
            formatCookie(controlCookie, token, { secure, sameSite: 'Strict', path: '/_sandbox' }),
          )
        }
        return reply.redirect('/_sandbox/', 303)
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
      return /^[^/]+\.\w+$/.test(path) ? reply.sendFile(path) : sendPage(reply)
    },
  )
}

/** `dist/renderer`, seen from the bundle in `dist/server` or from the sources. */
function dashboardFolder(): string | undefined {
  return ['../renderer', '../../renderer', '../../dist/renderer']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}/index.html`) && existsSync(`${path}/assets`))
}
