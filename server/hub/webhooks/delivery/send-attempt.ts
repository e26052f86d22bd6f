import { omitUndefined } from '../../../core/omit-undefined.ts'
import { messageOf } from '../../../core/background.ts'
import type { Deps } from '../../deps.ts'
import type {
  Attempt,
  Delivery,
  DeliveryBody,
  Webhook,
} from '../../../store/entities/webhook-entities.ts'
import type { AttemptSource } from '../../../contract/words/webhook-words.ts'
import type { DeliveryError } from '../../../contract/control-deliveries.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { BodyPace, Send, Sending, SendingResult } from '../../../web/outgoing/wire.ts'
import type { DeliveryProfile } from './profiles.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { findSendingProblem } from './webhook-secret.ts'
import { buildRequest, recordRequest } from './webhook-request.ts'

/** Starts the job of a webhook that has a job instead of a URL. */
export interface JobStarter {
  start(run: { webhook: Webhook; delivery: Delivery; body: DeliveryBody }): {
    jobId: string
    sending: Sending
  }
}

/** Wraps the sending of an attempt, so that fault rules can break it. */
export type Intercept = (
  attempt: { webhookId: string; deliveryId: string; number: number },
  send: () => Sending,
) => Sending

export interface AttemptOptions {
  profile: DeliveryProfile
  /** Returns the reason, as a sentence, when deliveries of a webhook cannot be sent at present. */
  pausedBecause: (webhook: Webhook) => string | undefined
  send: Send
  jobs: JobStarter
  intercept: Intercept
}

export interface ConcludedAttempt {
  attempt: Attempt
  /** Nothing was sent, and a retry would not change that. */
  isFinal?: true
  retryAfterMs?: number
}

/** Attempts in flight. */
export interface Attempts {
  readonly size: number
  /** Ids of their deliveries, in any state: a delivery may have been cancelled, or is being replayed. */
  deliveryIds(): Iterable<string>
  /**
   * Records an attempt, sends it, and records its outcome.
   * @param pace pace of the body; a job gets its body at once
   * @returns `undefined` when the log was reset meanwhile
   */
  start(
    delivery: Delivery,
    webhook: Webhook,
    source: AttemptSource,
    pace?: BodyPace,
  ): Promise<ConcludedAttempt | undefined>
  /** Aborts all attempts. */
  abort(error: DeliveryError): void
  /** Aborts all attempts without recording an outcome. */
  forget(): void
}

export function createAttempts(
  deps: Pick<Deps, 'state' | 'clock' | 'settings'>,
  log: AttemptLog,
  options: AttemptOptions,
): Attempts {
  const { state, clock, settings } = deps
  let inFlight = new Set<{ deliveryId: string; sending: Sending }>()
  let generation = 0

  /** Sends an attempt. An error of the sandbox itself becomes the outcome of the attempt, too. */
  function send(
    delivery: Delivery,
    webhook: Webhook,
    source: AttemptSource,
    pace: BodyPace | undefined,
  ): { attempt: Attempt; sending: Sending; isFinal?: true } {
    const message = findSendingProblem(webhook, options.profile) ?? options.pausedBecause(webhook)
    if (message !== undefined) {
      const result = {
        durationMs: 0,
        timings: {},
        error: { class: 'sender_fault', message },
      } as const
      return {
        attempt: log.open(delivery, source, {}),
        sending: { result: Promise.resolve(result), abort() {} },
        isFinal: true,
      }
    }
    let attempt: Attempt | undefined
    try {
      const { what, begin } = prepare(delivery, webhook, pace)
      attempt = log.open(delivery, source, what)
      return { attempt, sending: begin(attempt) }
    } catch (error) {
      return {
        attempt: attempt ?? log.open(delivery, source, {}),
        sending: { result: Promise.resolve(faultOfSender(error)), abort: () => {} },
      }
    }
  }

  function prepare(
    delivery: Delivery,
    webhook: Webhook,
    pace: BodyPace | undefined,
  ): { what: Pick<Attempt, 'request' | 'jobId'>; begin: (attempt: Attempt) => Sending } {
    const body = state.deliveryBodies.get(delivery.id)
    if (body === undefined) throw new Error(`delivery ${delivery.id} has no body`)
    const { url } = webhook
    if (url === undefined) {
      const { jobId, sending } = options.jobs.start({ webhook, delivery, body })
      return { what: { jobId }, begin: () => sending }
    }
    const request = buildRequest({
      webhook: { ...webhook, url },
      delivery,
      body,
      profile: options.profile,
      version: settings.version,
      realNow: clock.realNow(),
    })
    return {
      what: { request: recordRequest(request) },
      begin: ({ number }) =>
        options.intercept({ webhookId: webhook.id, deliveryId: delivery.id, number }, () =>
          options.send(pace === undefined ? request : { ...request, pace }),
        ),
    }
  }

  return {
    get size() {
      return inFlight.size
    },
    deliveryIds: () => Array.from(inFlight, ({ deliveryId }) => deliveryId),
    async start(delivery, webhook, source, pace) {
      const { attempt, sending, isFinal } = send(delivery, webhook, source, pace)
      const startedIn = generation
      const own = { deliveryId: delivery.id, sending }
      inFlight.add(own)
      const { retryAfter, ...result } = await sending.result.catch(faultOfSender)
      inFlight.delete(own)
      if (generation !== startedIn) return undefined
      // Receivers use real time in their dates.
      const retryAfterMs = parseRetryAfter(retryAfter, clock.realNow())
      return {
        attempt: log.close(attempt, result),
        ...(isFinal && { isFinal }),
        ...omitUndefined({ retryAfterMs }),
      }
    },
    abort(error) {
      for (const { sending } of inFlight) sending.abort(error)
    },
    forget() {
      generation++
      const forgotten = inFlight
      inFlight = new Set()
      for (const { sending } of forgotten) {
        sending.abort({ class: 'aborted_by_shutdown', message: 'the sandbox was reset' })
      }
    },
  }
}

function faultOfSender(error: unknown): SendingResult {
  const message = `the sandbox could not send the delivery: ${messageOf(error)}`
  return { durationMs: 0, timings: {}, error: { class: 'sender_fault', message } }
}
