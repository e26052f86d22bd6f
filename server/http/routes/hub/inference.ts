import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ChatBody, EmbeddingsBody, FeatureExtractionBody } from '../../../contract/hub-inference.ts'
import { shortened } from '../../../core/shortened.ts'
import { embedAll, embedTexts } from '../../../hub/inference/embeddings.ts'
import { listModels, requireModel } from '../../../hub/inference/models.ts'
import { permitInference } from '../../../hub/inference/permit-inference.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import { sendCompletion } from '../../send-completion.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['inference']
/** Characters of a model's name in the request log. */
const longestName = 300
const model = Type.Object({
  namespace: Type.String({ description: 'User or organization' }),
  name: Type.String({ description: 'Name of the model' }),
})
const taskRoute = '/hf-inference/models/:namespace/:name'

/** Calls of models, at the paths of the inference router. */
export const inferenceRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
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
    (request, reply) => complete(request, reply, request.body),
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
    (request, reply) =>
      complete(request, reply, { ...request.body, model: nameOf(request.params) }),
  )

  app.post(
    '/v1/embeddings',
    { ...calls, schema: { summary: 'Embed texts', tags, body: EmbeddingsBody } },
    (request) => {
      const { body } = request
      note(request, body.model)
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
    async (request) => {
      const { inputs } = request.body
      const name = nameOf(request.params)
      note(request, name)
      requireModel(deps.fixtures().inference, name)
      const { vectors } = embedTexts([inputs].flat())
      return typeof inputs === 'string' ? vectors[0] : vectors
    },
  )

  function complete(request: FastifyRequest, reply: FastifyReply, body: ChatBody) {
    note(request, body.model, body.stream === true)
    const model = requireModel(deps.fixtures().inference, body.model)
    return sendCompletion(deps, reply, { model, body })
  }
}

/** Notes the call for the request log, before the model is looked up. */
function note(request: FastifyRequest, name: string, streamed = false): void {
  request.inference = { model: shortened(name, longestName), streamed }
}

function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`
}
