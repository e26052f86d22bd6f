import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ChatBody, EmbeddingsBody, FeatureExtractionBody } from '../../../contract/hub-inference.ts'
import { embed, embedAll } from '../../../hub/inference/embeddings.ts'
import { listModels, requireModel } from '../../../hub/inference/models.ts'
import { permitInference } from '../../../hub/inference/permit-inference.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import { sendCompletion } from '../../send-completion.ts'
import type { ServerDeps } from '../../server-deps.ts'

const tags = ['inference']
const model = Type.Object({
  namespace: Type.String({ description: 'User or organization' }),
  name: Type.String({ description: 'Name of the model' }),
})
const taskRoute = '/hf-inference/models/:namespace/:name'

/** Calls of models, at the paths of the inference router. */
export const inferenceRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  // Refused before the body is checked.
  const calls = {
    config: { needsUser: true as const, actions: ['inference'] as const },
    preValidation: async ({ principal, headers }: FastifyRequest) =>
      permitInference(deps, principal, headers['x-hf-bill-to']?.toString()),
  }

  app.get(
    '/v1/models',
    { config: { actions: ['hub.facts'] }, schema: { summary: 'List models', tags } },
    () => listModels({ state: deps.state, now: deps.clock.now() }, deps.fixtures().inference),
  )

  app.post(
    '/v1/chat/completions',
    { ...calls, schema: { summary: 'Complete a conversation', tags, body: ChatBody } },
    (request, reply) => complete(reply, request.body),
  )

  app.post(
    `${taskRoute}/v1/chat/completions`,
    {
      ...calls,
      schema: {
        summary: 'Complete a conversation by one model',
        tags,
        params: model,
        body: ChatBody,
      },
    },
    (request, reply) => complete(reply, { ...request.body, model: nameOf(request.params) }),
  )

  app.post(
    '/v1/embeddings',
    { ...calls, schema: { summary: 'Embed texts', tags, body: EmbeddingsBody } },
    ({ body }) => {
      requireModel(deps.fixtures().inference, body.model)
      return embedAll(body.model, body)
    },
  )

  app.post(
    `${taskRoute}/pipeline/feature-extraction`,
    {
      ...calls,
      schema: {
        summary: 'Embed texts by one model',
        tags,
        params: model,
        body: FeatureExtractionBody,
      },
    },
    ({ params, body: { inputs } }) => {
      requireModel(deps.fixtures().inference, nameOf(params))
      return typeof inputs === 'string' ? embed(inputs) : inputs.map((text) => embed(text))
    },
  )

  function complete(reply: FastifyReply, body: ChatBody) {
    const model = requireModel(deps.fixtures().inference, body.model)
    return sendCompletion(deps, reply, { model, body })
  }
}

function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`
}
