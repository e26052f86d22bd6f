import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './children.ts'
import { control, withProgram, withSandbox } from './sandbox.ts'

/** What the engine sends to one webhook at a time. */
export const concurrency = 4

/** Causes one delivery to each webhook of the bench, and takes nothing else of the hub. */
export const event = { event: 'repo.content', repo: 'datasets/acme/corpus', mode: 'send' }

/** A sandbox, the receiver of its webhooks, and a program that does nothing but send there. */
export interface WebhookWorld {
  sandbox: Child
  receiver: Child
  sender: Child
}

/** Runs `act` in a world of its own. */
export function withWebhookWorld<T>(act: (world: WebhookWorld) => Promise<T>): Promise<T> {
  return withSandbox(
    (sandbox) =>
      withProgram('receiver', {}, (receiver) =>
        withProgram('bare-sender', {}, (sender) => act({ sandbox, receiver, sender })),
      ),
    // Without the quota of the hub's own profile.
    { deliveryProfile: 'ci' },
  )
}

/** @returns its id */
export async function createWebhook(
  sandbox: Child,
  url: string,
  more: { held?: boolean } = {},
): Promise<string> {
  const { id } = await control<{ id: string }>(sandbox, 'webhooks', {
    user: 'alice',
    url,
    watched: [{ type: 'dataset', name: 'acme/corpus' }],
    ...more,
  })
  return id
}

export async function removeWebhook({ url }: Child, webhookId: string): Promise<void> {
  await fetch(`${url}/_sandbox/api/webhooks/${webhookId}`, { method: 'DELETE' })
}

async function setHeld({ url }: Child, webhookId: string, held: boolean): Promise<void> {
  await fetch(`${url}/_sandbox/api/webhooks/${webhookId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ held }),
  })
}

/** Causes so many events by one request. */
export function trigger(sandbox: Child, times: number): Promise<unknown> {
  const repeat = { times }
  return control(sandbox, 'events', { ...event, repeat })
}

/** @returns a body like those that are delivered */
export async function examplePayload(sandbox: Child): Promise<string> {
  const { payloads } = await control<{ payloads: { payload: unknown }[] }>(sandbox, 'events', {
    ...event,
    preview: true,
  })
  return JSON.stringify(payloads[0]?.payload)
}

/**
 * Lets deliveries pile up, then go, so that making them is not measured.
 * @returns milliseconds from the first arrival to the last
 */
export async function deliverHeld(
  { sandbox, receiver }: Pick<WebhookWorld, 'sandbox' | 'receiver'>,
  webhookId: string,
  count: number,
): Promise<number> {
  await setHeld(sandbox, webhookId, true)
  await trigger(sandbox, count)
  await sleep(100)
  const arrived = receiver.ask<number>('expect', count)
  await setHeld(sandbox, webhookId, false)
  return arrived
}

/** @returns milliseconds from the first arrival to the last */
export async function sendBare(
  { receiver, sender }: Pick<WebhookWorld, 'receiver' | 'sender'>,
  body: string,
  count: number,
): Promise<number> {
  const [elapsed] = await Promise.all([
    receiver.ask<number>('expect', count),
    sender.ask('sendMany', { url: receiver.url, body, count, concurrency }),
  ])
  return elapsed
}

/** Until nothing is left to deliver. */
export async function quiet({ url }: Child): Promise<void> {
  const answer = await fetch(`${url}/_sandbox/api/idle?timeout=60s`)
  if (!answer.ok) throw new Error(`not quiet: ${await answer.text()}`)
}
