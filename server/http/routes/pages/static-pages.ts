import { encodeText } from '../../../core/encode-text.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { avatarSvg } from '../../../hub/files/avatar.ts'

/** Pages of the hub's settings, each at its place in the dashboard. */
const dashboardPlaces: Record<string, string> = {
  '/': '',
  '/settings/applications': 'apps',
  '/settings/applications/new': 'apps?new',
  '/settings/connected-applications': 'connected',
  '/settings/tokens': 'tokens',
  '/settings/webhooks': 'webhooks',
}

/** Images of the server-rendered pages, and redirects from the hub's pages to the dashboard. */
export const staticPageRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app) => {
  // An SVG opened by itself is a document: nothing in it may run on our origin.
  const picture = { schema: { summary: 'Get the generated avatar of an account' } }
  app.get<{ Params: { name: string } }>('/avatars/:name.svg', picture, (request, reply) =>
    reply
      .type('image/svg+xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .send(avatarSvg(request.params.name)),
  )

  const lead = { schema: { summary: 'Redirect to the dashboard' } }
  for (const [path, place] of Object.entries(dashboardPlaces)) {
    app.get(path, lead, (request, reply) => {
      // A receiver's own page links to the form with its URL filled in.
      const { search } = new URL(request.url, 'http://localhost')
      return reply.redirect(`/_sandbox/${place}${place.includes('?') ? '' : search}`, 303)
    })
  }
  app.get<{ Params: { id: string } }>('/settings/webhooks/:id/activity', lead, (request, reply) =>
    reply.redirect(`/_sandbox/webhooks/${encodeText(request.params.id)}/activity`, 303),
  )
  app.get<{ Params: { name: string } }>(
    '/organizations/:name/settings/audit-log',
    lead,
    (request, reply) =>
      reply.redirect(`/_sandbox/organizations/${encodeText(request.params.name)}/audit-log`, 303),
  )
}
