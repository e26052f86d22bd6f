import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ChatBody, EmbeddingsBody } from '../../../contract/hub-inference.ts'
import { Refusal } from '../../../core/refusal.ts'
import { permit } from '../../../hub/access/access.ts'
import { requestOfEndpoint } from '../../../hub/endpoints/endpoints.ts'
import { embedAll } from '../../../hub/inference/embeddings.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import { HttpRefusal } from '../../plugins/refusals.ts'
import { sendCompletion } from '../../send-completion.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['inference endpoints']
const params = Type.Object({ id: Type.String({ description: '24 hex digits' }) })
const route = '/inference-endpoints/:id'

/** Calls of running inference endpoints, below the URL of each. */
export const endpointCallRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
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

  app.get(
    `${route}/health`,
    {
      config: { actions: ['endpoints.read'] },
      schema: { summary: 'Check that an inference endpoint is running', tags, params },
    },
    (request) => {
      calledModel(request)
      return { status: 'ok' }
    },
  )

  app.post(
    `${route}/v1/chat/completions`,
    {
      config: { actions: ['endpoints.read'] },
      schema: {
        summary: 'Complete a conversation by an inference endpoint',
        tags,
        params,
        body: ChatBody,
      },
    },
    (request, reply) =>
      sendCompletion(deps, reply, { model: calledModel(request), body: request.body }),
  )

  app.post(
    `${route}/v1/embeddings`,
    {
      config: { actions: ['endpoints.read'] },
      schema: {
        summary: 'Embed texts by an inference endpoint',
        tags,
        params,
        body: EmbeddingsBody,
      },
    },
    (request) => embedAll(calledModel(request), request.body),
  )
}
