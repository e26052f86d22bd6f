import type { FastifyPluginAsync } from 'fastify'
import { registerHubErrors } from '../../plugins/hub-errors.ts'

/** Endpoints that the hub's clients call on their own. */
export const clientCallRoutes: FastifyPluginAsync = async (app) => {
  registerHubErrors(app)
  const tags = ['clients']

  const agents = { summary: 'List coding agents to recognize: none', tags }
  app.get('/api/agent-harnesses', { config: { actions: ['hub.facts'] }, schema: agents }, () => ({
    standardEnvVars: [],
    harnesses: {},
  }))

  const telemetry = { summary: 'Accept and drop usage reports of clients', tags }
  app.get('/api/telemetry/*', { config: { actions: ['hub.facts'] }, schema: telemetry }, () => ({}))
}
