import type { FastifyPluginAsync } from 'fastify'
import { stylesheetPath } from './layout.ts'
import { pagesStylesheet } from './styles.ts'

/** Stylesheet of the server-rendered pages. */
export const stylesheetRoutes: FastifyPluginAsync = async (app) => {
  app.get(stylesheetPath, { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(pagesStylesheet),
  )
}
