import { encodeText } from '../../core/encode-text.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { HubServices } from '../services.ts'
import { avatarSvg } from '../files/avatar.ts'
import { site } from '../http/site-route.ts'

/** Pages of the hub's settings, each at its place in the dashboard. */
const dashboardPlaces = [
  ['/', ''],
  ['/settings/applications', 'apps'],
  ['/settings/applications/new', 'apps?new'],
  ['/settings/connected-applications', 'consents'],
  ['/settings/tokens', 'tokens'],
  ['/settings/webhooks', 'webhooks'],
] as const

/** Images of the server-rendered pages, and redirects from the hub's pages to the dashboard. */
export const staticPageRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app) => {
  // An SVG opened by itself is a document: nothing in it may run on our origin.
  site(app, 'GET /avatars/:name.svg', (request, reply) =>
    reply
      .type('image/svg+xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .send(avatarSvg(request.params.name)),
  )

  for (const [path, place] of dashboardPlaces) {
    site(app, `GET ${path}`, (request, reply) => {
      // A receiver's own page links to the form with its URL filled in.
      const { search } = new URL(request.url, 'http://localhost')
      return reply.redirect(`/_sandbox/${place}${place.includes('?') ? '' : search}`, 303)
    })
  }
  site(app, 'GET /settings/webhooks/:id/activity', (request, reply) =>
    reply.redirect(`/_sandbox/webhooks/${encodeText(request.params.id)}/activity`, 303),
  )
  site(app, 'GET /organizations/:name/settings/audit-log', (request, reply) =>
    reply.redirect(`/_sandbox/organizations/${encodeText(request.params.name)}/audit-log`, 303),
  )
}
