import { Refusal } from '../../core/refusal.ts'
import { canRead } from '../../hub/access/rights.ts'
import { repoWebPath } from '../../hub/files/repo-names.ts'
import { createWebhookByHand } from '../../hub/webhooks/manage/by-hand.ts'
import { deleteWebhook } from '../../hub/webhooks/manage/management.ts'
import { requireUser } from '../../store/lookups.ts'
import { triggerEvent } from '../triggers/trigger.ts'
import { lacking } from '../demos/cast.ts'
import { openReceiver } from '../demos/demo-receiver.ts'
import type { DemoWebhook } from '../demos/scene.ts'

type WebhookDeps = Parameters<typeof createWebhookByHand>[0] & Parameters<typeof triggerEvent>[0]

/** Valid Base64, so every delivery profile accepts it. */
const secret = 'sandboxDemoWebhookSecret'

/**
 * Creates a webhook of a user for the first repo that the user can read, with a receiver.
 * @throws {Refusal} `conflict` while the clock is frozen, `invalid` without a repo
 */
export async function openWebhook(deps: WebhookDeps, owner: string): Promise<DemoWebhook> {
  const { state, bus, clock, engine } = deps
  if (clock.read().frozen) {
    throw new Refusal('conflict', 'The clock is frozen, so no retry becomes due: resume it first.')
  }
  const user = requireUser(deps, owner, 'user')
  const repo = [...state.repos.values()].find((one) => canRead(deps, user, one))
  if (repo === undefined) {
    throw lacking(`a repo that ${owner} can read`, 'repos', {
      type: 'dataset',
      name: `${owner}/corpus`,
    })
  }
  const receiver = await openReceiver()
  const { type, name } = repo
  const webhook = createWebhookByHand(deps, {
    owner,
    name: 'Demo receiver',
    url: receiver.url,
    watched: [{ type, name }],
    secret,
  })

  /** Waits until an attempt of a delivery has ended, after the first `known` ones. */
  async function attemptEnded(deliveryId: string, known: number): Promise<void> {
    const isEnded = () => state.attempts.get(`${deliveryId}/${known + 1}`)?.outcome !== undefined
    if (isEnded()) return
    await new Promise<void>((resolve) => {
      const off = bus.onAny(({ type: fact }) => {
        if (!fact.startsWith('delivery.') || !isEnded()) return
        off()
        resolve()
      })
    })
  }

  return {
    repo: repoWebPath(type, name).slice(1),
    url: receiver.url,
    respondsWith: (status, body) => receiver.respondsWith(status, body),
    async push() {
      const event = { event: 'repo.content', repo: `${type}s/${name}` }
      const { deliveries, skipped } = await triggerEvent(deps, engine, event)
      const mine = deliveries.find(({ webhookId }) => webhookId === webhook.id)
      if (mine === undefined) {
        const { reason = 'unknown' } = skipped.find((one) => one.webhookId === webhook.id) ?? {}
        throw new Error(`The Hub sent no delivery to the webhook of ${owner} (${reason}).`)
      }
      await attemptEnded(mine.id, 0)
      return mine.id
    },
    willRetry: (deliveryId) => state.deliveries.get(deliveryId)?.state === 'waiting',
    retry: (deliveryId) =>
      attemptEnded(deliveryId, state.deliveries.get(deliveryId)?.attempts ?? 0),
    async replay(deliveryId) {
      await engine.replay(deliveryId)
    },
    close() {
      receiver.close()
      const left = state.webhooks.get(webhook.id)
      if (left !== undefined) deleteWebhook(deps, left)
    },
  }
}
