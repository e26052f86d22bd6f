import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { buildOpenApi, type DocumentedRoute } from '../../openapi.ts'

export const openApiRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  documented: readonly DocumentedRoute[]
}> = async (app, { deps, documented }) => {
  app.get(
    '/_sandbox/openapi.json',
    { schema: { summary: 'Get the OpenAPI 3.1 document', tags: ['sandbox'] } },
    async () => {
      const { wireShapes } = await import('../../../contract/wire.ts')
      return buildOpenApi(documented, wireShapes, deps.settings)
    },
  )
}
