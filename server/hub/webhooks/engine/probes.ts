import type { Deps } from '../../deps.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { RealTime } from '../../../core/real-time.ts'
import type { DeliveryProfile } from '../delivery/profiles.ts'
import { createProbeLog, type ProbeDelivery, type ProbeLog } from '../delivery/probe-log.ts'
import { recordBody } from '../delivery/sent-body.ts'
import type { BodyPace, OutgoingRequest, Send, SendingResult } from '../../../web/outgoing/wire.ts'
import { buildRequest, recordRequest, type RequestInput } from '../delivery/webhook-request.ts'

/** Receiver that is called: a webhook of the sandbox, or a URL without one. */
export interface ProbeTarget extends Pick<RequestInput, 'webhook'> {
  readonly profile: DeliveryProfile
}

/** One attempt as an audit wants it. Everything else is as in a delivery. */
export interface Probe extends Pick<OutgoingRequest, 'method' | 'body'> {
  /** `Webhook-Id` */
  readonly messageId: string
  readonly scope: string
  readonly action: string
  /** Text that a profile signs instead of the body. */
  readonly signedBody?: string
  /** Difference of the signed time from now. */
  readonly offsetMs?: number
  /** Changes the URL and headers of the delivery. */
  readonly change?: (
    request: Pick<OutgoingRequest, 'url' | 'headers'>,
  ) => Pick<OutgoingRequest, 'url' | 'headers'>
  readonly pace?: BodyPace | undefined
  /** Closes the connection after this time, whatever has arrived. */
  readonly abortAfterMs?: number
  /** Closes the connection when it is aborted. */
  readonly signal?: AbortSignal
  /** Keeps the attempt, with these marks. Default: it is not kept. */
  readonly record?: Pick<ProbeDelivery, 'audit' | 'webhookId' | 'repo' | 'repoType'> | undefined
}

export interface ProbeResult extends SendingResult {
  /** Delivery that shows the attempt; absent if it was not kept. */
  readonly deliveryId?: string
}

/** Sends single attempts for audits. */
export interface Probes {
  /**
   * Sends one attempt with the headers, target policy and deadlines of a delivery. No retry follows, and it counts for
   * no quota, suspension or statistics.
   * @throws {Refusal} `shutting_down`
   */
  probe(target: ProbeTarget, probe: Probe): Promise<ProbeResult>
  /** The attempts that were kept. */
  readonly probed: Pick<ProbeLog, 'get' | 'newestFirst' | 'clear'>
}

interface ProbeOptions {
  send: Send
  realTime: Pick<RealTime, 'after'>
  isClosed: () => boolean
}

export function createProbes(
  deps: Pick<Deps, 'clock' | 'settings' | 'state' | 'ids'>,
  { send, realTime, isClosed }: ProbeOptions,
): Probes {
  const { clock, settings } = deps
  const log = createProbeLog(deps)
  let clearings = 0
  return {
    probed: {
      ...log,
      clear() {
        clearings++
        log.clear()
      },
    },
    async probe({ webhook, profile }, probe) {
      if (isClosed()) throw new Refusal('shutting_down', 'The sandbox is shutting down')
      const { messageId, scope, action, body, method, pace, abortAfterMs, signal, record } = probe
      const signed = probe.signedBody ?? (typeof body === 'string' ? body : '')
      const request = buildRequest({
        webhook,
        delivery: { id: messageId, messageId, scope, action, attempts: 0 },
        body: { body: signed },
        profile,
        version: settings.version,
        realNow: clock.realNow() + (probe.offsetMs ?? 0),
      })
      const changed = probe.change?.(request) ?? request
      const sent = { ...request, ...changed, body, ...omitUndefined({ method, pace }) }
      const at = clock.now()
      const sending = send(sent)
      const cut = () => sending.abort({ class: 'sender_fault', message: 'closed by the sandbox' })
      const keep = abortAfterMs === undefined ? undefined : realTime.after(abortAfterMs, cut)
      signal?.addEventListener('abort', cut)
      const isStopped = signal?.aborted === true
      if (isStopped) cut()
      const before = clearings
      try {
        const result = await sending.result
        if (record === undefined || isStopped || clearings !== before) return result
        const { retryAfter: _unused, ...rest } = result
        const outcome = result.error === undefined ? ('succeeded' as const) : ('failed' as const)
        const sentRequest = { ...recordRequest(sent), sent: recordBody(sent) }
        const attempt = { number: 1, source: 'audit' as const, at, outcome, ...rest }
        const about = { messageId, scope, action, ...record }
        const { id } = log.add({ ...about, attempt: { ...attempt, request: sentRequest } })
        return { ...result, deliveryId: id }
      } finally {
        keep?.()
        signal?.removeEventListener('abort', cut)
      }
    },
  }
}
