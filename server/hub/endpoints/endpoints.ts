import type { CreateEndpointBody, UpdateEndpointBody } from '../../contract/hub-endpoints.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { InferenceEndpoint } from '../../store/entities/endpoint-entities.ts'
import type { NamespaceOwner } from '../files/repo-names.ts'
import type { HubDeps } from '../hub-deps.ts'
import { stateOfEndpoint } from './endpoint-state.ts'

type Deps = Pick<HubDeps, 'state' | 'clock' | 'ids' | 'bus'>

/** Limit of the inference endpoints of a user or organization. */
const mostEndpoints = 100
/** Limit of an inference endpoint as JSON, in characters. */
const mostCharacters = 64 * 1024

export function listEndpoints(
  { state }: Pick<Deps, 'state'>,
  ownerId: string,
): InferenceEndpoint[] {
  return state.inferenceEndpoints
    .group('owner', ownerId)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** @throws {Refusal} `not_found` */
export function requireEndpoint(
  { state }: Pick<Deps, 'state'>,
  owner: NamespaceOwner,
  name: string,
): InferenceEndpoint {
  const found = state.inferenceEndpoints.find('name', `${owner.id}/${name}`)
  if (found !== undefined) return found
  throw new Refusal('not_found', `Inference endpoint not found: ${owner.name}/${name}`)
}

/**
 * Creates an inference endpoint and starts it.
 * @throws {Refusal} `plan_required` without a payment method, `conflict`, `invalid`, or `forbidden` at the limit
 */
export function createEndpoint(
  deps: Deps,
  {
    owner,
    creatorId,
    body,
  }: { owner: NamespaceOwner; creatorId: string; body: CreateEndpointBody },
): InferenceEndpoint {
  const { state, clock, ids } = deps
  requirePayment(deps, owner)
  if (state.inferenceEndpoints.find('name', `${owner.id}/${body.name}`) !== undefined) {
    throw new Refusal('conflict', `${owner.name} already has an inference endpoint ${body.name}`)
  }
  if (state.inferenceEndpoints.groupSize('owner', owner.id) >= mostEndpoints) {
    const message = `${owner.name} has ${mostEndpoints} inference endpoints, the limit: delete one`
    throw new Refusal('forbidden', message)
  }
  const now = clock.now()
  const { compute = {}, provider = {}, model } = body
  return put(deps, {
    id: ids.of('inference-endpoint').objectId(),
    ownerId: owner.id,
    name: body.name,
    type: body.type ?? 'authenticated',
    provider: { vendor: provider.vendor ?? 'aws', region: provider.region ?? 'us-east-1' },
    compute: {
      accelerator: compute.accelerator ?? 'cpu',
      instanceType: compute.instanceType ?? 'intel-icl',
      instanceSize: compute.instanceSize ?? 'x1',
      scaling: { minReplica: 0, maxReplica: 1, ...knownScaling(compute.scaling) },
    },
    model: {
      framework: 'custom',
      revision: null,
      task: null,
      image: { huggingface: {} },
      env: {},
      secrets: {},
      ...knownModel(model),
      repository: model.repository,
    },
    tags: body.tags ?? [],
    condition: 'started',
    since: now,
    creatorId,
    createdAt: now,
    updatedAt: now,
  })
}

/**
 * Changes an inference endpoint, which is updating for a while if it is running.
 * @throws {Refusal} `invalid`
 */
export function updateEndpoint(
  deps: Deps,
  endpoint: InferenceEndpoint,
  { type, compute, model, tags }: UpdateEndpointBody,
): InferenceEndpoint {
  const { scaling, ...hardware } = compute ?? {}
  const now = deps.clock.now()
  const isRunning = stateOfEndpoint(endpoint, now) === 'running'
  return put(deps, {
    ...endpoint,
    ...omitUndefined({ type, tags }),
    compute: {
      ...endpoint.compute,
      ...knownHardware(hardware),
      scaling: { ...endpoint.compute.scaling, ...knownScaling(scaling) },
    },
    model: { ...endpoint.model, ...knownModel(model) },
    ...(isRunning ? { condition: 'updated' as const, since: now } : {}),
    updatedAt: now,
  })
}

export function deleteEndpoint(
  { state, bus }: Pick<Deps, 'state' | 'bus'>,
  { id }: InferenceEndpoint,
): void {
  state.inferenceEndpoints.delete(id)
  bus.emit('endpoint.changed', { endpointId: id })
}

export function pauseEndpoint(deps: Deps, endpoint: InferenceEndpoint): InferenceEndpoint {
  return move(deps, endpoint, 'paused')
}

/** @throws {Refusal} `invalid` if it is neither paused nor scaled to zero */
export function resumeEndpoint(deps: Deps, endpoint: InferenceEndpoint): InferenceEndpoint {
  const present = stateOfEndpoint(endpoint, deps.clock.now())
  if (present === 'paused' || present === 'scaledToZero') return move(deps, endpoint, 'started')
  // The Python client looks for "already running".
  const message = `The inference endpoint ${endpoint.name} is already running: it is ${present}`
  throw new Refusal('invalid', message)
}

/** @throws {Refusal} `invalid` if it is paused or must keep a replica */
export function scaleToZero(deps: Deps, endpoint: InferenceEndpoint): InferenceEndpoint {
  if (endpoint.condition === 'paused') {
    throw new Refusal(
      'invalid',
      `The inference endpoint ${endpoint.name} is paused: resume it first`,
    )
  }
  return move(deps, endpoint, 'scaledToZero')
}

/**
 * Records a request to an inference endpoint, which starts one that is scaled to zero.
 * @returns whether it can respond
 */
export function requestOfEndpoint(deps: Deps, endpoint: InferenceEndpoint): boolean {
  const now = deps.clock.now()
  const present = stateOfEndpoint(endpoint, now)
  if (present === 'scaledToZero') move(deps, endpoint, 'started')
  else if (present !== 'paused')
    deps.state.inferenceEndpoints.put({ ...endpoint, lastRequestAt: now })
  return present === 'running' || present === 'updating'
}

function move(
  deps: Deps,
  endpoint: InferenceEndpoint,
  condition: InferenceEndpoint['condition'],
): InferenceEndpoint {
  const now = deps.clock.now()
  return store(deps, { ...endpoint, condition, since: now, updatedAt: now })
}

function put(deps: Pick<Deps, 'state' | 'bus'>, endpoint: InferenceEndpoint): InferenceEndpoint {
  const { minReplica, maxReplica } = endpoint.compute.scaling
  if (minReplica > maxReplica || maxReplica === 0) {
    const range = `minReplica ${minReplica} and maxReplica ${maxReplica}`
    throw new Refusal(
      'invalid',
      `Invalid scaling: ${range}; the maximum is at least 1 and the minimum`,
    )
  }
  const characters = JSON.stringify(endpoint).length
  if (characters > mostCharacters) {
    const message = `An inference endpoint is limited to ${mostCharacters} characters; this one has ${characters}`
    throw new Refusal('invalid', message)
  }
  return store(deps, endpoint)
}

function store(
  { state, bus }: Pick<Deps, 'state' | 'bus'>,
  endpoint: InferenceEndpoint,
): InferenceEndpoint {
  const stored = state.inferenceEndpoints.put(endpoint)
  bus.emit('endpoint.changed', { endpointId: stored.id })
  return stored
}

function requirePayment({ state }: Pick<Deps, 'state'>, { id, name }: NamespaceOwner): void {
  const owner = state.users.get(id) ?? state.organizations.get(id)
  if (owner?.canPay !== false) return
  throw new Refusal('plan_required', `${name} has no payment method`, {
    detail: 'its canPay is false',
  })
}

// Unknown fields of a request are not stored.

function knownHardware({
  accelerator,
  instanceType,
  instanceSize,
}: NonNullable<UpdateEndpointBody['compute']>) {
  return omitUndefined({ accelerator, instanceType, instanceSize })
}

function knownScaling({
  minReplica,
  maxReplica,
  scaleToZeroTimeout,
}: NonNullable<NonNullable<UpdateEndpointBody['compute']>['scaling']> = {}) {
  return omitUndefined({ minReplica, maxReplica, scaleToZeroTimeout })
}

function knownModel(model: NonNullable<UpdateEndpointBody['model']> = {}) {
  const { repository, framework, revision, task, image, command, args, env, secrets } = model
  return omitUndefined({
    repository,
    framework,
    revision,
    task,
    image,
    command,
    args,
    env,
    secrets,
  })
}
