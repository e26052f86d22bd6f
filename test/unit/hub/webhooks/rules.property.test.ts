import { strict as assert } from 'node:assert'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Webhook } from '../../../../server/store/entities/webhook-entities.ts'
import type { DeliveryError } from '../../../../server/contract/control-deliveries.ts'
import type { Send } from '../../../../server/web/outgoing/wire.ts'
import type { DeliveryProfile } from '../../../../server/hub/webhooks/delivery/profiles.ts'
import { profileNamed } from '../../../../server/hub/webhooks/delivery/profiles.ts'
import { withoutFailures } from '../../../../server/hub/webhooks/delivery/suspension.ts'
import { createWebhookWorld, wireOf } from '../../../helpers/webhook-world.ts'

const day = 86_400_000

/** Small numbers, so that short sequences reach every rule. */
const profile: DeliveryProfile = {
  ...profileNamed('hub'),
  retryDelaysMs: [10_000, 60_000],
  suspension: { after: 'failures', count: 3 },
  quota: 5,
}

type Receiver = 'up' | 'down' | 'error'
type Step =
  | { do: 'emit' }
  | { do: 'pass'; ms: number }
  | { do: 'receiver'; is: Receiver }
  | { do: 'enable' | 'disable' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>({ do: 'emit' }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(5000, 12_000, 72_000, 3_600_000, day)
      .map((ms): Step => ({ do: 'pass', ms })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<Receiver>('up', 'down', 'error')
      .map((is): Step => ({ do: 'receiver', is })),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'enable' }, { do: 'disable' }) },
)

/** Model of the rules, as short as possible. */
class Model {
  status: Webhook['status'] = 'enabled'
  failures = 0
  receiver: Receiver = 'up'
  readonly triggered: number[] = []
  readonly deliveries: {
    state: 'waiting' | 'succeeded' | 'failed' | 'cancelled'
    tries: number
    nextRetryAt: number
  }[] = []
  readonly skipped: string[] = []

  emit(now: number): void {
    if (this.status !== 'enabled') {
      this.skipped.push(this.status === 'disabled' ? 'disabled' : 'suspended')
    } else if (this.triggered.filter((at) => at > now - day).length >= 5) {
      this.skipped.push('quota-exceeded')
    } else {
      this.triggered.push(now)
      this.deliveries.push({ state: 'waiting', tries: 0, nextRetryAt: now })
    }
  }

  attempt(delivery: Model['deliveries'][number]): void {
    delivery.tries++
    if (this.receiver === 'up') {
      delivery.state = 'succeeded'
      this.failures = 0
    } else if (delivery.tries > 2) {
      delivery.state = 'failed'
      this.failures++
      if (this.failures >= 3) this.stop('suspended-after-failure')
    }
  }

  stop(status: 'disabled' | 'suspended-after-failure'): void {
    this.status = status
    for (const delivery of this.deliveries) {
      if (delivery.state === 'waiting') delivery.state = 'cancelled'
    }
  }
}

describe('suspension, quota and retries', () => {
  test('agree with a small model over 10,000 sequences', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const model = new Model()
      const errors: Record<Exclude<Receiver, 'up'>, DeliveryError> = {
        down: { class: 'connection_refused', message: 'down' },
        error: { class: 'http_status', message: 'responded with 500' },
      }
      const send: Send = () => ({
        abort() {},
        result: Promise.resolve({
          durationMs: 1,
          timings: {},
          ...(model.receiver !== 'up' && { error: errors[model.receiver] }),
        }),
      })
      const world = await createWebhookWorld({
        engine: { profile, wire: wireOf(send), concurrency: { perWebhook: 1, overall: 1 } },
      })
      const webhook = world.addWebhook({ url: 'http://127.0.0.1:9/' })
      // After each step; compared at the end, since a comparison takes longer than a step.
      const seen: object[] = []
      const modelled: object[] = []
      world.engine.start()

      /** Lets everything that is due happen, in both. */
      async function settle(): Promise<void> {
        await world.settle()
        for (;;) {
          const now = world.clock.now()
          const due = model.deliveries
            .filter(({ state, nextRetryAt }) => state === 'waiting' && nextRetryAt <= now)
            .toSorted((a, b) => a.nextRetryAt - b.nextRetryAt)
          if (due.length === 0) return
          for (const delivery of due) if (delivery.state === 'waiting') model.attempt(delivery)
          for (const [index, real] of [...world.state.deliveries.values()].entries()) {
            const delivery = model.deliveries[index]
            if (delivery?.state !== 'waiting' || !due.includes(delivery)) continue
            // Within a fifth of the planned wait; which moment of it is the engine's choice.
            const planned = profile.retryDelaysMs[delivery.tries - 1] ?? NaN
            const wait = real.nextRetryAt! - now
            assert(wait >= planned * 0.8 && wait <= planned * 1.2, `${wait} of ${planned} ms`)
            delivery.nextRetryAt = real.nextRetryAt!
          }
        }
      }

      for (const next of steps) {
        if (next.do === 'emit') {
          model.emit(world.clock.now())
          world.emit()
        } else if (next.do === 'pass') world.clock.advance(next.ms)
        else if (next.do === 'receiver') model.receiver = next.is
        else {
          const status = next.do === 'enable' ? 'enabled' : 'disabled'
          if (status === 'disabled') model.stop(status)
          else [model.status, model.failures] = [status, 0]
          const present = world.state.webhooks.get(webhook.id)!
          const cleaned = status === 'enabled' ? withoutFailures(present) : present
          world.state.webhooks.put({ ...cleaned, status })
          world.bus.emit('webhook.updated', { webhookId: webhook.id, changed: ['status'] })
        }
        await settle()
        const present = world.state.webhooks.get(webhook.id)!
        seen.push({
          deliveries: Array.from(world.state.deliveries.values(), ({ state, attempts }) => ({
            state,
            attempts,
          })),
          status: present.status,
          failures: present.consecutiveFailures,
        })
        modelled.push({
          deliveries: model.deliveries.map(({ state, tries }) => ({ state, attempts: tries })),
          status: model.status,
          failures: model.failures,
        })
      }
      assert.deepEqual(seen, modelled)
      assert.deepEqual(
        Array.from(world.state.skippedEvents.values(), ({ webhooks }) => webhooks[0]?.reason),
        model.skipped,
      )
      await world.close()
    })
    await expect(fc.assert(property, { numRuns: 10_000 })).resolves.toBeUndefined()
  }, 180_000)
})
