import type { TriggerRequest, TriggerResult } from '../../contract/control-events.ts'
import type { Deps } from '../../hub/deps.ts'
import type { Issue } from '../../core/config-error.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import { findRecipe } from './event-catalog.ts'
import { loadXetHashes } from '../../hub/xet/hashes.ts'
import {
  namesBucket,
  performEvent,
  type PerformedEvents,
  previewEvent,
  synthesizeEvent,
} from './perform-event.ts'
import type { WebhookEngine } from '../../hub/webhooks/engine/engine.ts'
import { once, type PendingResponses } from '../../hub/webhooks/engine/idempotency.ts'
import {
  buildPayload,
  freezePayload,
  largestBodyBytes,
} from '../../hub/webhooks/publish/build-payload.ts'
import { findFieldProblem } from '../../hub/webhooks/publish/payload-fields.ts'
import { changePayload, findPathIssues } from '../../core/payload-path.ts'
import { nextTurn } from '../../core/timers.ts'
import type { PayloadPatch, Published } from '../../hub/webhooks/publish/publisher.ts'

type TriggerDeps = Pick<Deps, 'settings' | 'state' | 'objects' | 'clock' | 'ids' | 'bus'> & {
  lastTrigger: LastTrigger
}

/** Last trigger of any caller, for another use. */
export interface LastTrigger {
  request?: TriggerRequest
}

const pendingResponses = new WeakMap<WebhookEngine, PendingResponses>()

/**
 * Triggers an event, or previews its effects.
 * @param idempotencyKey the same key and request cause nothing more for 24 hours of the sandbox clock
 * @returns every event, delivery and skipped webhook
 * @throws {Refusal} for an unknown event, kind, repo or path, and for too large a payload; `overloaded` while too many deliveries wait
 */
export async function triggerEvent(
  deps: TriggerDeps,
  engine: WebhookEngine,
  request: TriggerRequest,
  idempotencyKey?: string,
): Promise<TriggerResult> {
  if (namesBucket(deps, request.repo)) await loadXetHashes()
  if (request.preview === true) return preview(deps, engine, request)
  if (idempotencyKey === undefined) return trigger(deps, engine, request)
  const pending: PendingResponses = pendingResponses.get(engine) ?? new Map()
  pendingResponses.set(engine, pending)
  return once(deps, pending, { key: idempotencyKey, request }, () => trigger(deps, engine, request))
}

async function trigger(
  deps: TriggerDeps,
  engine: WebhookEngine,
  request: TriggerRequest,
): Promise<TriggerResult> {
  if (engine.isOverloaded()) {
    throw new Refusal('overloaded', 'Too many deliveries are waiting; try again later.', {
      retryAfterSeconds: 1,
    })
  }
  if (request.overrides !== undefined || request.remove !== undefined) {
    refuseIssues(findPatchIssues(deps, request))
  }
  const { times = 1 } = request.repeat ?? {}
  const published: Published[] = []
  for (let count = 0; count < times; count++) {
    published.push(...cause(deps, engine, request))
    // Other requests have their turn between two events.
    await nextTurn()
  }
  deps.lastTrigger.request = request
  return resultOf(published)
}

/** Triggers the event once; overrides apply to the requested events, not to side events. */
function cause(deps: TriggerDeps, engine: WebhookEngine, request: TriggerRequest): Published[] {
  if (request.mode === 'send') {
    const events = synthesizeEvent(deps, request)
    const requestedIds = new Set(events.map(({ id }) => id))
    const send = () => {
      for (const event of events) deps.bus.emit('hub.event', event)
    }
    return engine.collect(send, patchFor(request, requestedIds)).published
  }
  const requestedIds = new Set<string>()
  const perform = () => performEvent(deps, request, ({ id }) => requestedIds.add(id))
  return engine.collect(perform, patchFor(request, requestedIds)).published
}

/** Returns the deliveries that would be sent, without sending them. */
function preview(deps: TriggerDeps, engine: WebhookEngine, request: TriggerRequest): TriggerResult {
  const { prepared, requested } = foresee(deps, request)
  const events = [...prepared, ...requested]
  const patch = patchFor(request, new Set(requested.map(({ id }) => id)))
  const issues = findPatchIssues(deps, request)
  refuseIssues(issues)
  const results = events.flatMap((event) =>
    engine.match(event).map(({ webhook, match }) => ({ event, webhookId: webhook.id, match })),
  )
  return {
    events: events.map(({ id, scope, action }) => ({ id, scope, action })),
    deliveries: [],
    skipped: results.flatMap(({ event, webhookId, match }) =>
      match.matched ? [] : [{ eventId: event.id, webhookId, reason: match.reason }],
    ),
    payloads: results.flatMap(({ event, webhookId, match }) => {
      if (!match.matched) return []
      const payload = patch(buildPayload(deps.settings.baseUrl, webhookId, event), event)
      return [{ eventId: event.id, webhookId, payload }]
    }),
  }
}

function foresee(deps: TriggerDeps, request: TriggerRequest): PerformedEvents {
  return request.mode === 'send'
    ? { prepared: [], requested: synthesizeEvent(deps, request) }
    : previewEvent(deps, request)
}

function patchFor(request: TriggerRequest, requestedIds: ReadonlySet<string>): PayloadPatch {
  const { scope, action } = findRecipe(request.event, request.kind)
  return (payload, event) => {
    const isMeant = requestedIds.has(event.id) && event.scope === scope && event.action === action
    return isMeant ? changePayload(payload, request).payload : payload
  }
}

/** Checks the overrides first: the payloads must have the paths, and stay within the size limit. */
function findPatchIssues(deps: TriggerDeps, request: TriggerRequest): Issue[] {
  const limits = findPathIssues(request)
  if (limits.length > 0) return limits
  const { scope, action, payload: schema } = findRecipe(request.event, request.kind)
  const event = foresee(deps, request).requested.find(
    (candidate) => candidate.scope === scope && candidate.action === action,
  )
  if (event === undefined) return []
  const { payload, issues } = changePayload(
    buildPayload(deps.settings.baseUrl, '0'.repeat(24), event),
    request,
  )
  for (const text of Object.keys(request.overrides ?? {})) {
    const path = `overrides.${text}`
    const message = findFieldProblem(schema, text)
    if (message === undefined || issues.some((issue) => issue.path === path)) continue
    issues.push({ path, message })
  }
  const { bytes } = freezePayload(payload)
  if (bytes > largestBodyBytes) {
    const message = `The payload would have ${bytes} bytes after the changes; the limit is ${largestBodyBytes}.`
    issues.push({ path: 'overrides', message })
  }
  return issues
}

function resultOf(published: readonly Published[]): TriggerResult {
  return {
    events: published.map(({ event: { id, scope, action } }) => ({ id, scope, action })),
    deliveries: published.flatMap(({ deliveries }) =>
      deliveries.map(({ id, eventId, webhookId }) => ({ id, eventId, webhookId })),
    ),
    skipped: published.flatMap(({ event, skipped }) =>
      skipped.map(({ id, reason }) => ({ eventId: event.id, webhookId: id, reason })),
    ),
  }
}
