import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import { unreachedErrors } from '../../../../server/contract/words/webhook-words.ts'
import { words } from '../present/delivery-words.ts'
import type { Artefact, Part } from './choose-artefact.ts'

/** Delivery drawn like a sign-in, for an audience. */
export interface DeliveryFlow extends Pick<FlowDetail, 'actors' | 'steps' | 'outcome'> {
  /** Object of each step, by its id. */
  artefacts: ReadonlyMap<string, Artefact>
}

/** Actors of a webhook, as the drawing knows them: the receiver is the app of its developer. */
const actors: FlowDetail['actors'] = [
  { actor: 'browser', name: words.developer },
  { actor: 'hub', name: words.hub },
  { actor: 'app', name: words.receiver },
]

/** Most of a response that an audience reads. */
const mostCharacters = 200

/** Draws the event, each attempt with its response, and the wait for the next one. */
export function flowOfDelivery(delivery: DeliveryItem): DeliveryFlow {
  const startedAt = Date.parse(delivery.createdAt)
  const artefacts = new Map<string, Artefact>()
  const steps: FlowStep[] = []

  function add(step: Omit<FlowStep, 'sinceMs'>, artefact?: Artefact): void {
    steps.push({ ...step, sinceMs: Math.max(0, Date.parse(step.at) - startedAt) })
    if (artefact !== undefined) artefacts.set(step.id, artefact)
  }

  const { scope, action, repo } = delivery
  add(
    {
      id: 'event',
      kind: 'message',
      from: 'browser',
      to: 'hub',
      name: words.event(`${scope}.${action}`),
      at: delivery.createdAt,
      outcome: 'ok',
      explanation: words.eventMeans(repo),
    },
    { kind: 'parts', label: words.payload, parts: payloadParts(delivery) },
  )
  for (const attempt of delivery.attempts) addAttempt(delivery, attempt, add)
  const { state, nextRetryAt } = delivery
  if (state === 'waiting' && nextRetryAt !== undefined) {
    add({
      id: 'waiting',
      kind: 'waiting',
      from: 'hub',
      to: 'hub',
      name: words.nextRetry,
      at: steps.at(-1)?.at ?? delivery.createdAt,
      outcome: 'pending',
      explanation: words.nextRetryMeans,
    })
  }
  return { actors, steps, artefacts, outcome: outcomeOf(delivery) }
}

function addAttempt(
  delivery: DeliveryItem,
  attempt: AttemptItem,
  add: (step: Omit<FlowStep, 'sinceMs'>, artefact?: Artefact) => void,
): void {
  const { number, source, at, outcome, status, error, durationMs, request, response } = attempt
  const isReplay = source === 'replay'
  if (isReplay) {
    add({
      id: `${number}-replay`,
      kind: 'message',
      from: 'browser',
      to: 'hub',
      name: words.replay,
      at,
      outcome: 'ok',
      explanation: words.replayMeans,
    })
  }
  add(
    {
      id: `${number}-request`,
      kind: 'message',
      from: 'hub',
      to: 'app',
      name: source === 'auto' || isReplay ? words.delivery : words.retry,
      at,
      outcome: 'ok',
      explanation: source === 'auto' ? words.deliveryMeans : words.sameDelivery,
    },
    request && {
      kind: 'parts',
      label: `${request.method} ${request.url}`,
      parts: request.headers.map(([name, value]) => ({ name, value })),
    },
  )
  if (outcome === undefined) return
  const isReached = error === undefined || !unreachedErrors.has(error.class)
  add(
    {
      id: `${number}-response`,
      kind: 'message',
      from: isReached ? 'app' : 'hub',
      to: 'hub',
      name: status === undefined ? words.noResponse : words.response(status),
      at: new Date(Date.parse(at) + (durationMs ?? 0)).toISOString(),
      outcome: outcome === 'succeeded' ? 'ok' : isReached ? 'refused' : 'broken',
      ...(status === undefined ? {} : { status }),
      ...(durationMs === undefined ? {} : { tookMs: durationMs }),
      ...(error === undefined || status !== undefined ? {} : { error: error.class }),
      explanation: attempt.explanation ?? (error ? words.failed : words.succeeded),
    },
    response && {
      kind: 'parts',
      label: words.responseBody,
      parts: [
        { name: 'status', value: String(response.status) },
        { name: 'body', value: response.body.slice(0, mostCharacters) },
      ],
    },
  )
}

function payloadParts({ scope, action, repo, repoType, messageId }: DeliveryItem): Part[] {
  return [
    { name: 'event.scope', value: scope },
    { name: 'event.action', value: action },
    { name: 'repo.type', value: repoType },
    { name: 'repo.name', value: repo },
    ...(messageId === undefined ? [] : [{ name: 'Webhook-Id', value: messageId }]),
  ]
}

/** Outcome of the newest attempt, since a replay may be refused after a success. */
function outcomeOf({ state, attempts }: DeliveryItem): FlowDetail['outcome'] {
  const last = attempts.at(-1)?.outcome
  if (last === undefined || state === 'waiting') return 'pending'
  return last === 'succeeded' ? 'completed' : 'refused'
}
