import { inBackground, type Report } from '../../../core/background.ts'
import type { RealTime } from '../../../core/real-time.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { Deps } from '../../deps.ts'
import type { Delivery, Webhook } from '../../../store/entities/webhook-entities.ts'
import type { DeliveriesByHand } from './deliveries-by-hand.ts'

/** Receivers that are waited for: their undelivered deliveries are replayed once one succeeds. */
export interface AwaitedReceivers {
  /**
   * Waits until the receiver of a webhook takes a delivery, then replays its undelivered ones. Without other successes,
   * the newest of them is replayed again and again.
   * @throws {Refusal} `conflict` for a job, or when nothing is undelivered
   */
  replayWhenBack: (webhookId: string) => void
  /** Ends the wait; nothing happens if there is none. */
  stopWaiting: (webhookId: string) => void
}

interface Options extends Pick<DeliveriesByHand, 'replay' | 'replayMany'> {
  realTime: Pick<RealTime, 'after'>
  report: Report
}

const firstWaitMs = 2000
const longestWaitMs = 30_000

export function createAwaitedReceivers(
  { state, bus, clock }: Pick<Deps, 'state' | 'bus' | 'clock'>,
  { realTime, report, replay, replayMany }: Options,
) {
  /** Cancels the next check of each awaited receiver. */
  const checks = new Map<string, () => void>()
  /** Delivery that checks a receiver at present, by webhook. */
  const checking = new Map<string, string>()

  function setAwaited(webhook: Webhook, since: number | undefined): void {
    const { awaitedSince: _since, ...rest } = webhook
    state.webhooks.put(since === undefined ? rest : { ...rest, awaitedSince: since })
    bus.emit('webhook.updated', { webhookId: webhook.id, changed: ['replayWhenBack'] })
  }

  /** Undelivered deliveries, oldest first. */
  function listUndelivered(webhookId: string): Delivery[] {
    return state.deliveries
      .group('webhook', webhookId)
      .filter(({ state, attempts }) => attempts > 0 && (state === 'waiting' || state === 'failed'))
      .toSorted((a, b) => a.seq - b.seq)
  }

  function plan(webhookId: string, waitMs: number): void {
    checks.get(webhookId)?.()
    checks.set(
      webhookId,
      realTime.after(waitMs, () => {
        inBackground(report, `the check of webhook ${webhookId}`, () => check(webhookId, waitMs))
      }),
    )
  }

  async function check(webhookId: string, waitMs: number): Promise<void> {
    const newest = listUndelivered(webhookId).at(-1)
    if (newest === undefined) return finish(webhookId)
    checking.set(webhookId, newest.id)
    // A success ends the wait by its fact.
    await replay(newest.id)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
      .finally(() => checking.delete(webhookId))
    if (checks.has(webhookId)) plan(webhookId, Math.min(longestWaitMs, 2 * waitMs))
  }

  function finish(webhookId: string): void {
    checks.get(webhookId)?.()
    checks.delete(webhookId)
    const webhook = state.webhooks.get(webhookId)
    if (webhook?.awaitedSince !== undefined) setAwaited(webhook, undefined)
  }

  /** @param checked number of deliveries that the check has delivered */
  async function catchUp(webhookId: string, checked: number): Promise<void> {
    const ids = listUndelivered(webhookId).map(({ id }) => id)
    const replayed = await replayMany({ ids })
    const succeeded = replayed.filter(({ attempt }) => attempt?.outcome === 'succeeded').length
    const failed = replayed.length - succeeded
    const data = { webhookId, succeeded: succeeded + checked, failed }
    if (state.webhooks.has(webhookId)) bus.emit('webhook.back', data)
  }

  const receivers: AwaitedReceivers = {
    replayWhenBack(webhookId) {
      const webhook = state.webhooks.get(webhookId)
      if (webhook === undefined) throw new Refusal('not_found', 'Webhook not found')
      if (webhook.url === undefined) {
        throw new Refusal('conflict', 'This webhook starts a job: each check would run it.')
      }
      if (listUndelivered(webhookId).length === 0) {
        throw new Refusal('conflict', 'This webhook has no failed delivery to replay.')
      }
      if (webhook.awaitedSince === undefined) setAwaited(webhook, clock.now())
      plan(webhookId, firstWaitMs)
    },
    stopWaiting: finish,
  }

  function clear(): void {
    for (const cancel of checks.values()) cancel()
    checks.clear()
  }

  return {
    receivers,
    /** Follows successes until the returned function is called. */
    follow: () =>
      bus.on('delivery.succeeded', ({ data: { webhookId, deliveryId } }) => {
        if (!checks.has(webhookId)) return
        const checked = checking.get(webhookId) === deliveryId ? 1 : 0
        finish(webhookId)
        inBackground(report, `replaying deliveries of webhook ${webhookId}`, () =>
          catchUp(webhookId, checked),
        )
      }),
    /** Waits again for the receivers that the state says are awaited. */
    resume(): void {
      clear()
      for (const { id, awaitedSince } of state.webhooks.values()) {
        if (awaitedSince !== undefined) plan(id, firstWaitMs)
      }
    },
    clear,
  }
}
