import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccessAction } from '../../../hub/access/access-rules.ts'
import { CreateEndpointBody, UpdateEndpointBody } from '../../../contract/hub-endpoints.ts'
import { describeEndpoint } from '../../../hub/endpoints/endpoint-view.ts'
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  pauseEndpoint,
  requireEndpoint,
  resumeEndpoint,
  scaleToZero,
  updateEndpoint,
} from '../../../hub/endpoints/endpoints.ts'
import type { InferenceEndpoint } from '../../../state/entities/endpoints.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { namespaceOfRoute } from '../../plugins/namespace-of-route.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import { noteEndpointSecrets } from '../../plugins/secret-values.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['inference endpoints']
const inNamespace = Type.Object({ namespace: Type.String({ description: 'User or organization' }) })
const one = Type.Object({
  ...inNamespace.properties,
  name: Type.String({ description: 'Name of the inference endpoint' }),
})
const oneRoute = '/v2/endpoint/:namespace/:name'

/** Inference endpoints of users and organizations. */
export const endpointRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const describe = ({ root }: FastifyRequest, endpoint: InferenceEndpoint) =>
    describeEndpoint(deps, endpoint, root)
  const endpointOf = (request: FastifyRequest, action: 'endpoints.read' | 'endpoints.write') => {
    const { owner } = namespaceOfRoute(deps, request, action)
    return requireEndpoint(deps, owner, (request.params as { name: string }).name)
  }
  const forUsersTo = (action: AccessAction) => ({
    config: { needsUser: true as const, actions: [action] as const, noteBody: noteEndpointSecrets },
  })

  app.get(
    '/v2/endpoint/:namespace',
    {
      config: { actions: ['endpoints.read'] },
      schema: { summary: 'List inference endpoints', tags, params: inNamespace },
    },
    (request) => {
      const { owner } = namespaceOfRoute(deps, request, 'endpoints.read')
      return { items: listEndpoints(deps, owner.id).map((endpoint) => describe(request, endpoint)) }
    },
  )

  app.post(
    '/v2/endpoint/:namespace',
    {
      ...forUsersTo('endpoints.write'),
      schema: {
        summary: 'Create an inference endpoint',
        tags,
        params: inNamespace,
        body: CreateEndpointBody,
      },
    },
    (request) => {
      const { owner, user } = namespaceOfRoute(deps, request, 'endpoints.write')
      const { body } = request
      return describe(request, createEndpoint(deps, { owner, creatorId: user.id, body }))
    },
  )

  app.get(
    oneRoute,
    {
      config: { actions: ['endpoints.read'] },
      schema: { summary: 'Get an inference endpoint', tags, params: one },
    },
    (request) => describe(request, endpointOf(request, 'endpoints.read')),
  )

  app.put(
    oneRoute,
    {
      ...forUsersTo('endpoints.write'),
      schema: {
        summary: 'Update an inference endpoint',
        tags,
        params: one,
        body: UpdateEndpointBody,
      },
    },
    (request) => {
      const endpoint = endpointOf(request, 'endpoints.write')
      return describe(request, updateEndpoint(deps, endpoint, request.body))
    },
  )

  app.delete(
    oneRoute,
    {
      config: { actions: ['endpoints.write'] },
      schema: { summary: 'Delete an inference endpoint', tags, params: one },
    },
    (request) => {
      deleteEndpoint(deps, endpointOf(request, 'endpoints.write'))
      return {}
    },
  )

  const moves = [
    ['pause', 'Pause an inference endpoint', pauseEndpoint],
    ['resume', 'Resume an inference endpoint', resumeEndpoint],
    ['scale-to-zero', 'Scale an inference endpoint to zero', scaleToZero],
  ] as const
  for (const [path, summary, move] of moves) {
    app.post(
      `${oneRoute}/${path}`,
      { config: { actions: ['endpoints.write'] }, schema: { summary, tags, params: one } },
      (request) => describe(request, move(deps, endpointOf(request, 'endpoints.write'))),
    )
  }
}
