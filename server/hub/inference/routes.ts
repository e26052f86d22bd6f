import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ChatBody } from '../../contract/hub-inference.ts'
import { shortened } from '../../core/shortened.ts'
import { embedAll, embedTexts } from './embeddings.ts'
import { listModels, requireModel } from './models.ts'
import { permitInference } from './permit-inference.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { sendCompletion } from '../http/send-completion.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Characters of a model's name in the request log. */
const longestName = 300

/** Calls of models, at the paths of the inference router. */
export const inferenceRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  // Refused before the body is checked.
  const calls = {
    preValidation: async ({ principal, headers }: FastifyRequest) =>
      permitInference(deps, principal, headers['x-hf-bill-to']?.toString()),
  }

  hub(app, 'GET /v1/models', () =>
    listModels({ state: deps.state, now: deps.clock.now() }, deps.fixtures().inference),
  )

  hub(
    app,
    'POST /v1/chat/completions',
    (request, reply) => complete(request, reply, request.body),
    calls,
  )

  hub(
    app,
    'POST /hf-inference/models/:namespace/:name/v1/chat/completions',
    (request, reply) =>
      complete(request, reply, { ...request.body, model: nameOf(request.params) }),
    calls,
  )

  hub(
    app,
    'POST /v1/embeddings',
    (request) => {
      const { body } = request
      note(request, body.model)
      requireModel(deps.fixtures().inference, body.model)
      return embedAll(body.model, body)
    },
    calls,
  )

  hub(
    app,
    'POST /hf-inference/models/:namespace/:name/pipeline/feature-extraction',
    async (request) => {
      const { inputs } = request.body
      const name = nameOf(request.params)
      note(request, name)
      requireModel(deps.fixtures().inference, name)
      const { vectors } = embedTexts([inputs].flat())
      return typeof inputs === 'string' ? (vectors[0] ?? []) : vectors
    },
    calls,
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
