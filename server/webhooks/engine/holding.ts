import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../../events/deps.ts'
import type { Webhook } from '../../state/entities/webhooks.ts'
import { explainHeld } from '../delivery/explain.ts'

/** Whose deliveries wait although nothing is wrong with them. */
export interface Holding {
  /** Lets the deliveries of a webhook wait until they are released. */
  hold: (webhookId: string) => void
  release: (webhookId: string) => void
  /** Why deliveries of a webhook wait, as a sentence; `undefined` when they need not. */
  heldBecause: (webhook: Webhook) => string | undefined
  /** Why nothing can be sent to a webhook for now, as a sentence. */
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
