import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { refusals } from '../../contract/control.ts'
import type { ServerDeps } from '../server-deps.ts'
import { buildOpenApi, type DocumentedRoute } from './openapi.ts'

const schema = {
  summary: 'Get the OpenAPI 3.1 document',
  tags: ['sandbox'],
  response: {
    200: Type.Record(Type.String(), Type.Unknown(), { description: 'This document' }),
    ...refusals,
  },
}

export const openApiRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  documented: readonly DocumentedRoute[]
}> = async (app, { deps, documented }) => {
  app.get('/_sandbox/openapi.json', { schema }, async () => buildOpenApi(documented, deps.settings))
}
