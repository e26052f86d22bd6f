import { omitUndefined } from '../../core/omit-undefined.ts'
import type { FaultItem } from '../../contract/control-faults.ts'
import { requireDuration } from '../../core/duration.ts'
import { performance, sleep } from '../../core/timers.ts'
import type { Intercept } from '../../hub/webhooks/delivery/send-attempt.ts'
import type { Sending, SendingResult } from '../../web/outgoing/wire.ts'
import type { Faults } from './faults.ts'

/**
 * Applies fault rules to deliveries. A broken delivery is not sent: it fails as an error of the sandbox, so it is retried,
 * but does not count against the webhook.
 */
export function breakDeliveries(faults: Faults): Intercept {
  return ({ webhookId }, send) => {
    const rule = faults.size === 0 ? undefined : faults.take({ kind: 'delivery', webhookId })
    return rule === undefined ? send() : sendWith(rule, send)
  }
}

function sendWith(rule: FaultItem, send: () => Sending): Sending {
  const delayMs = rule.delay === undefined ? 0 : requireDuration(rule.delay)
  const isBroken = rule.status !== undefined || rule.break !== undefined
  const abortion = new AbortController()
  let sending: Sending | undefined
  let settle: (result: SendingResult) => void
  const result = new Promise<SendingResult>((resolve) => {
    settle = resolve
  })

  async function act(): Promise<void> {
    const startedAt = performance.now()
    await sleep(delayMs, undefined, { signal: abortion.signal })
    const delayedMs = Math.round(performance.now() - startedAt)
    if (isBroken) {
      settle({
        durationMs: delayedMs,
        timings: { faultMs: delayedMs },
        ...omitUndefined({ status: rule.status }),
        error: { class: 'sender_fault', message: `fault rule ${rule.id}: ${describe(rule)}` },
      })
      return
    }
    sending = send()
    const sent = await sending.result
    settle({
      ...sent,
      durationMs: sent.durationMs + delayedMs,
      timings: { faultMs: delayedMs, ...sent.timings },
    })
  }

  act().catch((error: unknown) => {
    settle({
      durationMs: 0,
      timings: {},
      error: { class: 'sender_fault', message: `fault rule ${rule.id}: ${String(error)}` },
    })
  })
  return {
    result,
    abort(error) {
      sending?.abort(error)
      if (sending !== undefined) return
      settle({ durationMs: 0, timings: {}, error })
      abortion.abort()
    },
  }
}

function describe({ status, break: kind }: FaultItem): string {
  return status === undefined ? `broken response (${kind})` : `responded with ${status}`
}
