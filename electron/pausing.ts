import type { ControlCall } from '../server/contract/control-call.ts'
import type { WebhookItem, WebhookList } from '../server/contract/control-webhooks.ts'

/** Pauses and resumes all deliveries. */
export interface Pausing {
  /** Pauses the deliveries of every webhook. */
  pause: () => Promise<void>
  /** Resumes the webhooks that `pause` paused; others stay paused. */
  resume: () => Promise<void>
}

/** @param connect returns the currently running sandbox */
export function createPausing(connect: () => ControlCall): Pausing {
  let paused = new Set<string>()
  return {
    async pause() {
      const call = connect()
      const free = (await everyWebhook(call)).filter(({ held }) => !held)
      paused = new Set(free.map(({ id }) => id))
      await setHeld(call, free, true)
    },
    async resume() {
      const call = connect()
      const held = (await everyWebhook(call)).filter((webhook) => webhook.held)
      const ours = held.filter(({ id }) => paused.has(id))
      paused = new Set()
      // Paused in an earlier run of the app, which is unknown now: resume all.
      await setHeld(call, ours.length > 0 ? ours : held, false)
    },
  }
}

export async function everyWebhook(call: ControlCall): Promise<WebhookItem[]> {
  const found: WebhookItem[] = []
  let cursor: string | undefined
  do {
    const page: WebhookList = await call('GET webhooks', { query: { limit: 1000, cursor } })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

async function setHeld(
  call: ControlCall,
  webhooks: readonly Pick<WebhookItem, 'id'>[],
  held: boolean,
): Promise<void> {
  await Promise.all(
    webhooks.map(({ id }) => call('PATCH webhooks/:id', { params: { id }, body: { held } })),
  )
}
