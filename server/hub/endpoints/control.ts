import type {
  CreateInferenceEndpointRequest,
  InferenceEndpointItem,
} from '../../contract/control-inference.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import { nextChangeOf } from './endpoint-state.ts'
import { describeEndpoint } from './endpoint-view.ts'
import {
  createEndpoint,
  deleteEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  scaleToZero,
} from './endpoints.ts'
import { requireActor, requireOwner } from '../access/act-as.ts'
import type { InferenceEndpoint } from '../../store/entities/endpoint-entities.ts'
import { nameKey } from '../../store/state.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'
import { checkNamespaceFilter } from '../access/namespace-filter.ts'
import { filtered, newestFirst, pageOf } from '../../web/page.ts'
import { accountName, isoMember, userRef, type ViewDeps } from '../access/refs.ts'

export const inferenceEndpointRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  const { inferenceEndpoints } = deps.state

  control(app, 'GET inference-endpoints', async ({ query, root }) => {
    checkNamespaceFilter(deps.state, 'namespace', query.namespace)
    const wanted = query.namespace === undefined ? undefined : nameKey(query.namespace)
    return pageOf(
      filtered(
        newestFirst(inferenceEndpoints.values()),
        ({ ownerId }) => wanted === undefined || nameKey(accountName(deps, ownerId)) === wanted,
      ),
      query,
      ({ id }) => id,
      (endpoint) => describe(deps, endpoint, root),
    )
  })

  control(app, 'POST inference-endpoints', async ({ body, root }) => {
    const { namespace, user, ...settings } = body
    const owner = requireOwner(deps, namespace, 'namespace')
    const creatorId = requireActor(deps, user, owner.id).id
    const made = createEndpoint(deps, { owner, creatorId, body: hubBody(settings) })
    return describe(deps, made, root)
  })

  control(app, 'GET inference-endpoints/:id', async ({ params, root }) =>
    describe(deps, find(params.id), root),
  )

  control(app, 'POST inference-endpoints/:id/pause', async ({ params, root }) =>
    describe(deps, pauseEndpoint(deps, find(params.id)), root),
  )

  control(app, 'POST inference-endpoints/:id/resume', async ({ params, root }) =>
    describe(deps, resumeEndpoint(deps, find(params.id)), root),
  )

  control(app, 'POST inference-endpoints/:id/scale-to-zero', async ({ params, root }) =>
    describe(deps, scaleToZero(deps, find(params.id)), root),
  )

  control(app, 'DELETE inference-endpoints/:id', async ({ params }) => {
    deleteEndpoint(deps, find(params.id))
    return {}
  })

  function find(id: string): InferenceEndpoint {
    const endpoint = inferenceEndpoints.get(id)
    if (endpoint !== undefined) return endpoint
    throw new Refusal('not_found', `No inference endpoint has the id ${id}.`)
  }
}

/** Body of the Hub's API. */
function hubBody(settings: Omit<CreateInferenceEndpointRequest, 'namespace' | 'user'>) {
  const { name, type, repository, ...compute } = settings
  return {
    name,
    model: { repository },
    ...omitUndefined({ type }),
    compute: omitUndefined(compute),
  }
}

function describe(
  deps: ViewDeps,
  endpoint: InferenceEndpoint,
  root: string,
): InferenceEndpointItem {
  const { id, ownerId, creatorId, name, type, model, compute, lastRequestAt } = endpoint
  const { status } = describeEndpoint(deps, endpoint, root)
  return {
    id,
    namespace: accountName(deps, ownerId),
    name,
    creator: userRef(deps, creatorId),
    type,
    repository: model.repository,
    ...compute,
    state: status.state,
    message: status.message,
    ...(status.url === undefined ? {} : { url: status.url }),
    readyReplica: status.readyReplica,
    targetReplica: status.targetReplica,
    ...isoMember('changesAt', nextChangeOf(endpoint, deps.clock.now())),
    ...isoMember('lastRequestAt', lastRequestAt),
    createdAt: isoTime(endpoint.createdAt),
    updatedAt: isoTime(endpoint.updatedAt),
  }
}
