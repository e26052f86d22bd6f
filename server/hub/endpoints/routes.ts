import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { EndpointAccessResponse } from '../../contract/hub.ts'
import type { EndpointAccessQuery } from '../../contract/hub-endpoints.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { describeEndpoint } from './endpoint-view.ts'
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  pauseEndpoint,
  requireEndpoint,
  resumeEndpoint,
  scaleToZero,
  updateEndpoint,
} from './endpoints.ts'
import type { InferenceEndpoint } from '../../store/entities/endpoint-entities.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { namespaceOfRoute } from '../http/namespace-of-route.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { noteEndpointSecrets } from '../http/secret-values.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

const notesSecrets = { config: { noteBody: noteEndpointSecrets } }

/** Inference endpoints of users and organizations. */
export const endpointRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const describe = ({ root }: FastifyRequest, endpoint: InferenceEndpoint) =>
    describeEndpoint(deps, endpoint, root)
  const endpointOf = (request: FastifyRequest, action: 'endpoints.read' | 'endpoints.write') => {
    const { owner } = namespaceOfRoute(deps, request, action)
    return requireEndpoint(deps, owner, (request.params as { name: string }).name)
  }

  hub(app, 'GET /v2/endpoint/:namespace', (request) => {
    const { owner } = namespaceOfRoute(deps, request, 'endpoints.read')
    return { items: listEndpoints(deps, owner.id).map((endpoint) => describe(request, endpoint)) }
  })

  hub(
    app,
    'POST /v2/endpoint/:namespace',
    (request) => {
      const { owner, user } = namespaceOfRoute(deps, request, 'endpoints.write')
      const { body } = request
      return describe(request, createEndpoint(deps, { owner, creatorId: user.id, body }))
    },
    notesSecrets,
  )

  hub(app, 'GET /v2/endpoint/:namespace/:name', (request) =>
    describe(request, endpointOf(request, 'endpoints.read')),
  )

  hub(
    app,
    'PUT /v2/endpoint/:namespace/:name',
    (request) => {
      const endpoint = endpointOf(request, 'endpoints.write')
      return describe(request, updateEndpoint(deps, endpoint, request.body))
    },
    notesSecrets,
  )

  hub(app, 'DELETE /v2/endpoint/:namespace/:name', (request) => {
    deleteEndpoint(deps, endpointOf(request, 'endpoints.write'))
    return {}
  })

  const moves = [
    ['pause', pauseEndpoint],
    ['resume', resumeEndpoint],
    ['scale-to-zero', scaleToZero],
  ] as const
  for (const [path, move] of moves) {
    hub(app, `POST /v2/endpoint/:namespace/:name/${path}`, (request) =>
      describe(request, move(deps, endpointOf(request, 'endpoints.write'))),
    )
  }

  const check = (
    request: FastifyRequest<{ Querystring: Static<typeof EndpointAccessQuery> }>,
  ): Static<typeof EndpointAccessResponse> => {
    const { perms, name } = request.params as { perms: string; name?: string }
    const resourceGroupId = request.query.resource_group_id?.toLowerCase()
    const group = omitUndefined({ resourceGroupId })
    const action = perms === 'write' ? 'endpoints.write' : 'endpoints.read'
    const { owner, user } = namespaceOfRoute(deps, request, action, group)
    if (name !== undefined) requireEndpoint(deps, owner, name)
    return {
      namespace: { id: owner.id, name: owner.name },
      user: { id: user.id, name: user.username },
      ...group,
    }
  }
  hub(app, 'POST /api/inference-endpoints/:namespace/auth-check/:perms', check)
  hub(app, 'POST /api/inference-endpoints/:namespace/:name/auth-check/:perms', check)
}
