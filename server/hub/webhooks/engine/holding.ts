import { Refusal } from '../../../core/refusal.ts'
import type { Deps } from '../../deps.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import { explainHeld } from '../delivery/explain.ts'

/** Webhooks whose deliveries wait: held by a user, or paused by the sandbox. */
export interface Holding {
  /** Holds the deliveries of a webhook until it is released. */
  hold: (webhookId: string) => void
  release: (webhookId: string) => void
  /** Returns why deliveries of a webhook wait, as a sentence; `undefined` when they do not. */
  heldBecause: (webhook: Webhook) => string | undefined
  /** Returns the reason, as a sentence, when deliveries of a webhook cannot be sent at present. */
  pausedBecause: (webhook: Webhook) => string | undefined
}

export function createHolding(
  { state, bus }: Pick<Deps, 'state' | 'bus'>,
  pausedBecause: Holding['pausedBecause'] = () => undefined,
): Holding {
  function setHeld(webhookId: string, held: boolean): void {
    const webhook = state.webhooks.get(webhookId)
    if (webhook === undefined) throw new Refusal('not_found', 'Webhook not found')
    const { held: _held, ...rest } = webhook
    state.webhooks.put(held ? { ...rest, held } : rest)
    bus.emit('webhook.updated', { webhookId, changed: ['held'] })
  }

  return {
    hold: (webhookId) => setHeld(webhookId, true),
    release: (webhookId) => setHeld(webhookId, false),
    heldBecause: (webhook) =>
      pausedBecause(webhook) ?? (webhook.held === true ? explainHeld : undefined),
    pausedBecause,
  }
}
