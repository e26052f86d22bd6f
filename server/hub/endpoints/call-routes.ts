import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ChatBody } from '../../contract/hub-inference.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import { requestOfEndpoint } from './endpoints.ts'
import { embedAll } from '../inference/embeddings.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { sendCompletion } from '../http/send-completion.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Calls of running inference endpoints, below the URL of each. */
export const endpointCallRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  /** Returns the model of a running inference endpoint; a request starts one that is scaled to zero. */
  function calledModel(request: FastifyRequest): string {
    const { principal, params: given } = request
    const endpoint = deps.state.inferenceEndpoints.get((given as { id: string }).id)
    if (endpoint === undefined) throw new Refusal('not_found', 'Inference endpoint not found')
    const { ownerId, type } = endpoint
    if (type !== 'public') permit(deps, principal, { action: 'endpoints.read', ownerId })
    const model = endpoint.model.repository
    const { stream } = (request.body ?? {}) as Partial<ChatBody>
    // Not the check of its health.
    if (request.method === 'POST') request.inference = { model, streamed: stream === true }
    if (requestOfEndpoint(deps, endpoint)) return model
    throw new HttpRefusal(
      503,
      'overloaded',
      `The inference endpoint ${endpoint.name} is not running`,
    )
  }

  hub(app, 'GET /inference-endpoints/:id/health', (request) => {
    calledModel(request)
    return { status: 'ok' }
  })

  hub(app, 'POST /inference-endpoints/:id/v1/chat/completions', (request, reply) =>
    sendCompletion(deps, reply, { model: calledModel(request), body: request.body }),
  )

  hub(app, 'POST /inference-endpoints/:id/v1/embeddings', (request) =>
    embedAll(calledModel(request), request.body),
  )
}
