import { Refusal } from '../../../core/refusal.ts'
import type { Deps } from '../../deps.ts'
import type { Attempt, Delivery, Webhook } from '../../../store/entities/webhook-entities.ts'
import { mayHappen } from '../delivery/delivery-life.ts'
import type { BodyPace } from '../../../web/outgoing/wire.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { FrozenBody } from '../delivery/delivery-log.ts'
import { freezePayload, largestBodyBytes } from '../publish/build-payload.ts'
import type { QueueLimits } from './queues.ts'
import { type Replayed, replayMany, type ReplayPlan } from './replay-many.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Probes } from './probes.ts'

/** Actions of a user on deliveries. */
export interface DeliveriesByHand {
  /**
   * Sends a delivery once more: same bytes, current URL and secret, no retries, no use of quota.
   * @param pace pace of the body
   * @throws {Refusal} `not_found` for an unknown delivery, `conflict` when its webhook was deleted or sending is paused
   */
  replay: (deliveryId: string, pace?: BodyPace) => Promise<Attempt>
  /** Sends an edited payload as a new delivery, marked as derived. */
  replayEdited: (deliveryId: string, payload: unknown) => Promise<Attempt>
  /**
   * Sends several deliveries once more, or duplicates of them, within the concurrency limits of the engine.
   * @param signal starts no more replays once aborted; those in flight are waited for
   * @returns the result of each replay in the order of the starts; a refusal is a result, too
   */
  replayMany: (request: ReplayPlan, signal?: AbortSignal) => Promise<Replayed[]>
  /** @throws {Refusal} `not_found` for an unknown delivery, `conflict` for a finished one */
  cancel: (deliveryId: string) => Delivery
  /**
   * Sends a delivery that is held because its webhook triggers itself. The next round is held again.
   * @throws {Refusal} `not_found`, or `conflict` for a delivery that waits for another reason, or not at all
   */
  releaseLooping: (deliveryId: string) => Delivery
  /**
   * Queues failed and cancelled deliveries again, of one webhook or of all, except edited replays and duplicates. A
   * delivery with an attempt in flight is sent when that has ended without success.
   * @param since milliseconds since 1970 on the sandbox clock; older deliveries are left alone
   * @returns the queued deliveries
   */
  recover: (query: { since: number; webhookId?: string }) => Delivery[]
}

interface ByHandOptions {
  log: DeliveryLog
  dispatcher: Pick<Dispatcher, 'replay' | 'cancel'>
  committed: () => Promise<void> | undefined
  /** Passes a delivery on to be sent. */
  admit: (delivery: Delivery) => void
  isClosed: () => boolean
  /** Returns why deliveries of a webhook wait, as a sentence. */
  heldBecause: (webhook: Webhook) => string | undefined
  /** Returns the reason, as a sentence, when all deliveries have to wait. */
  stoppedBecause: () => string | undefined
  /** Limits of concurrent replays. */
  limits: QueueLimits
}

type ByHandDeps = Pick<Deps, 'state' | 'ids'> & Pick<Probes, 'probed'>

export function createDeliveriesByHand(deps: ByHandDeps, options: ByHandOptions): DeliveriesByHand {
  return {
    async replay(deliveryId, pace) {
      return replay(deps, options, repeatable(deps, options, deliveryId), pace)
    },
    async replayEdited(deliveryId, payload) {
      const original = repeatable(deps, options, deliveryId)
      const body = freezeEdited(payload)
      return replay(deps, options, derive(options.log, original, { body }))
    },
    async replayMany(request, signal) {
      return replayMany(deps, options.limits, {
        request,
        signal,
        async sendAgain(id) {
          return replay(deps, options, repeatable(deps, options, id))
        },
        duplicate(id) {
          const copy = duplicate(deps, options.log, repeatable(deps, options, id))
          return { id: copy.id, attempt: replay(deps, options, copy) }
        },
      })
    },
    cancel(deliveryId) {
      const delivery = deliveryNamed(deps, deliveryId)
      if (delivery.finishedAt !== undefined) {
        throw new Refusal('conflict', `The delivery is already finished (${delivery.state})`)
      }
      return options.dispatcher.cancel(delivery, 'cancelled by hand')
    },
    releaseLooping(deliveryId) {
      const delivery = deliveryNamed(deps, deliveryId)
      if (delivery.heldBecause === undefined) {
        throw new Refusal('conflict', `The delivery is not held by a loop (${delivery.state})`)
      }
      const because = options.heldBecause(webhookOf(deps, options, delivery))
      if (because !== undefined) throw new Refusal('conflict', because)
      const released = options.log.move(deliveryId, { kind: 'released' })
      options.admit(released)
      return released
    },
    recover(query) {
      const reopened = findRecoverable(deps, query).map(({ id }) =>
        options.log.move(id, { kind: 'reopened' }),
      )
      for (const delivery of reopened) options.admit(delivery)
      return reopened
    },
  }
}

function deliveryNamed({ state, probed }: ByHandDeps, id: string): Delivery {
  const delivery = state.deliveries.get(id)
  if (delivery !== undefined) return delivery
  const probe = probed.get(id)
  if (probe === undefined) throw new Refusal('not_found', 'Delivery not found')
  const { module } = probe.audit
  throw new Refusal(
    'conflict',
    `This is an attempt of an audit. To repeat it, audit the receiver with --only ${module}.`,
  )
}

function webhookOf(
  { state }: ByHandDeps,
  { stoppedBecause }: ByHandOptions,
  { webhookId }: Delivery,
): Webhook {
  const because = stoppedBecause()
  if (because !== undefined) throw new Refusal('conflict', because)
  const webhook = state.webhooks.get(webhookId)
  if (webhook === undefined) {
    throw new Refusal('conflict', 'The webhook of this delivery was deleted')
  }
  return webhook
}

/** Returns a delivery whose webhook is there. @throws {Refusal} */
function repeatable(deps: ByHandDeps, options: ByHandOptions, id: string): Delivery {
  const delivery = deliveryNamed(deps, id)
  webhookOf(deps, options, delivery)
  return delivery
}

async function replay(
  deps: ByHandDeps,
  options: ByHandOptions,
  { id }: Delivery,
  pace?: BodyPace,
): Promise<Attempt> {
  const { dispatcher, committed, isClosed } = options
  if (isClosed()) throw new Refusal('shutting_down', 'The sandbox is shutting down')
  await committed()
  // The state may have been reset meanwhile, or the webhook changed.
  const delivery = deliveryNamed(deps, id)
  const attempt = await dispatcher.replay(delivery, webhookOf(deps, options, delivery), pace)
  if (attempt === undefined) {
    throw new Refusal('conflict', 'The sandbox was reset during the replay')
  }
  return attempt
}

/** @throws {Refusal} `invalid` when the payload is too large */
function freezeEdited(payload: unknown): FrozenBody {
  const body = freezePayload(payload)
  if (body.bytes > largestBodyBytes) {
    const message = `payload has ${body.bytes} bytes; the limit is ${largestBodyBytes}.`
    throw new Refusal('invalid', message, { issues: [{ path: 'payload', message }] })
  }
  return body
}

function duplicate({ state }: ByHandDeps, log: DeliveryLog, original: Delivery): Delivery {
  const body = state.deliveryBodies.get(original.id)
  if (body === undefined)
    throw new Refusal('conflict', 'The body of this delivery is no longer stored')
  const { id: _id, ...frozen } = body
  return derive(log, original, { body: frozen, duplicate: true })
}

function derive(
  log: DeliveryLog,
  original: Delivery,
  what: { body: FrozenBody; duplicate?: true },
): Delivery {
  const { webhookId, eventId, scope, action, repoId, repo, repoType, actorId, cause } = original
  return log.create({
    webhookId,
    event: {
      id: eventId,
      scope,
      action,
      repo: { id: repoId, name: repo, type: repoType },
      actorId,
      cause,
    },
    isSynthetic: original.synthetic === true,
    matchedBy: original.matchedBy,
    state: 'sending',
    derivedFrom: original.id,
    ...what,
  })
}

/** Returns the deliveries that ended without success and can be sent again, in the order of the events. */
function findRecoverable(
  { state }: ByHandDeps,
  { since, webhookId }: { since: number; webhookId?: string },
): Delivery[] {
  const { deliveries, webhooks } = state
  const candidates =
    webhookId === undefined
      ? [...deliveries.group('state', 'failed'), ...deliveries.group('state', 'cancelled')]
      : deliveries.group('webhook', webhookId)
  return candidates
    .filter(
      (delivery) =>
        mayHappen(delivery, 'reopened') &&
        delivery.createdAt >= since &&
        delivery.derivedFrom === undefined &&
        webhooks.get(delivery.webhookId)?.status === 'enabled',
    )
    .toSorted((a, b) => a.seq - b.seq)
}
