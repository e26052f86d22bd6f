import type { Deps } from '../core/deps.ts'
import type {
  Attempt,
  AttemptSource,
  Delivery,
  DeliveryBody,
  DeliveryError,
  Webhook,
} from '../state/entities/webhooks.ts'
import type { AttemptResult, Send, Sending } from './deliver.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { DeliveryProfile } from './profiles.ts'
import { parseRetryAfter } from './schedule.ts'
import type { TargetPolicy } from './target.ts'
import { buildRequest, describeRequest } from './webhook-request.ts'

/** Starts the job of a webhook that has one in place of a URL. */
export interface JobStarter {
  start(run: { webhook: Webhook; delivery: Delivery; body: DeliveryBody }): {
    jobId: string
    sending: Sending
  }
}

/** Stands between the engine and the wire, to break what a test wants broken. */
export type Intercept = (
  attempt: { webhookId: string; deliveryId: string; number: number },
  send: () => Sending,
) => Sending

export interface AttemptOptions {
  profile: DeliveryProfile
  policy: TargetPolicy
  send: Send
  jobs: JobStarter
  intercept: Intercept
}

export interface ConcludedAttempt {
  attempt: Attempt
  retryAfterMs?: number
}

/** The attempts that are under way. */
export interface Attempts {
  readonly size: number
  /**
   * Records an attempt and sends it.
   * @returns what it came to, recorded too; `undefined` when the log was reset meanwhile
   */
  start(
    delivery: Delivery,
    webhook: Webhook,
    source: AttemptSource,
  ): Promise<ConcludedAttempt | undefined>
  /** Ends all of them now. */
  abort(error: DeliveryError): void
  /** Ends all of them now and records nothing. */
  forget(): void
}

export function createAttempts(
  deps: Pick<Deps, 'state' | 'clock' | 'settings'>,
  log: DeliveryLog,
  options: AttemptOptions,
): Attempts {
  const { state, clock, settings } = deps
  const underWay = new Set<Sending>()
  let generation = 0

  function send(
    delivery: Delivery,
    webhook: Webhook,
    source: AttemptSource,
    body: DeliveryBody,
  ): { attempt: Attempt; sending: Sending } {
    const { url } = webhook
    if (url === undefined) {
      const { jobId, sending } = options.jobs.start({ webhook, delivery, body })
      return { attempt: log.openAttempt(delivery, source, { jobId }), sending }
    }
    const request = buildRequest({
      webhook: { ...webhook, url },
      delivery,
      body,
      profile: options.profile,
      version: settings.version,
      now: clock.now(),
    })
    const attempt = log.openAttempt(delivery, source, { request: describeRequest(request) })
    const sending = options.intercept(
      { webhookId: webhook.id, deliveryId: delivery.id, number: attempt.number },
      () => options.send(request, options.policy),
    )
    return { attempt, sending }
  }

  return {
    get size() {
      return underWay.size
    },
    async start(delivery, webhook, source) {
      const body = state.deliveryBodies.get(delivery.id)
      if (body === undefined) throw new Error(`delivery ${delivery.id} has no body`)
      const { attempt, sending } = send(delivery, webhook, source, body)
      const startedIn = generation
      underWay.add(sending)
      const result = await sending.result
      underWay.delete(sending)
      if (generation !== startedIn) return undefined
      // Dates in a receiver's answer are of its world: real time.
      const retryAfterMs = parseRetryAfter(retryAfterOf(result), clock.realNow())
      return {
        attempt: log.closeAttempt(attempt, result),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      }
    },
    abort(error) {
      for (const sending of underWay) sending.abort(error)
    },
    forget() {
      generation++
      for (const sending of underWay) {
        sending.abort({ class: 'aborted_by_shutdown', message: 'the sandbox was reset' })
      }
    },
  }
}

function retryAfterOf({ response }: AttemptResult): string | undefined {
  return response?.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
}
