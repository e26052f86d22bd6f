import { isObject } from '../../core/is-object.ts'
import { isoTime } from '../../core/time.ts'
import type { EndpointState } from '../../contract/words/endpoint-words.ts'
import type { InferenceEndpoint } from '../../store/entities/endpoint-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { stateOfEndpoint } from './endpoint-state.ts'

const messages: Readonly<Record<EndpointState, string>> = {
  pending: 'Endpoint is waiting to be scheduled',
  initializing: 'Endpoint is starting',
  updating: 'Endpoint is updating',
  running: 'Endpoint is ready',
  paused: 'Endpoint is paused',
  scaledToZero: 'Endpoint is scaled to zero: the next request starts it',
}

/**
 * Describes an inference endpoint as its API does, without the values of secrets.
 * @param root origin of its URL
 */
export function describeEndpoint(
  { state, clock }: Pick<HubDeps, 'state' | 'clock'>,
  endpoint: InferenceEndpoint,
  root: string,
) {
  const { id, name, type, provider, compute, model, tags, creatorId, createdAt, updatedAt } =
    endpoint
  const { secrets: _, image, ...shownModel } = model
  const present = stateOfEndpoint(endpoint, clock.now())
  const hasUrl = present === 'running' || present === 'updating' || present === 'scaledToZero'
  const isReady = present === 'running' || present === 'updating'
  const isWanted = present !== 'paused' && present !== 'scaledToZero'
  const replicas = Math.max(compute.scaling.minReplica, 1)
  const by = { id: creatorId, name: state.users.get(creatorId)?.username ?? '' }
  return {
    name,
    type,
    accountId: null,
    healthRoute: '/health',
    provider,
    compute,
    model: { ...shownModel, image: withoutCredentials(image) },
    tags,
    status: {
      state: present,
      message: messages[present],
      ...(hasUrl ? { url: `${root}/inference-endpoints/${id}` } : {}),
      readyReplica: isReady ? replicas : 0,
      targetReplica: isWanted ? replicas : 0,
      createdAt: isoTime(createdAt),
      createdBy: by,
      updatedAt: isoTime(updatedAt),
      updatedBy: by,
    },
  }
}

function withoutCredentials(image: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(image).map(([kind, settings]) => {
      if (!isObject(settings)) return [kind, settings]
      const { credentials: _, ...shown } = settings
      return [kind, shown]
    }),
  )
}
