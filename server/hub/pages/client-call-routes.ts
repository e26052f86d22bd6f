import type { FastifyPluginAsync } from 'fastify'
import { registerHubErrors } from '../http/hub-errors.ts'
import { hub } from '../http/hub-route.ts'

/** Endpoints that the hub's clients call on their own. */
export const clientCallRoutes: FastifyPluginAsync = async (app) => {
  registerHubErrors(app)
  hub(app, 'GET /api/agent-harnesses', () => ({ standardEnvVars: [], harnesses: {} }))
  hub(app, 'GET /api/telemetry/*', () => ({}))
}
