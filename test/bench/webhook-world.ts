import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './children.ts'
import { control, withProgram, withSandbox } from './sandbox.ts'

/** Number of deliveries that the engine sends to a webhook at a time. */
const concurrency = 4

/** Event that causes one delivery to each webhook of the bench and changes nothing else. */
export const event = { event: 'repo.content', repo: 'datasets/acme/corpus', mode: 'send' }

/** Sandbox, receiver of its webhooks, and a program that only sends to that receiver. */
export interface WebhookWorld {
  sandbox: Child
  receiver: Child
  sender: Child
}

/** Runs `act` with a new sandbox, receiver and sender. */
export function withWebhookWorld<T>(act: (world: WebhookWorld) => Promise<T>): Promise<T> {
  return withSandbox(
    (sandbox) =>
      withReceiver((receiver) =>
        withProgram('bare-sender', {}, (sender) => act({ sandbox, receiver, sender })),
      ),
    // This profile has no quota.
    { deliveryProfile: 'ci' },
  )
}

/** Runs `act` with a receiver of webhooks. */
export function withReceiver<T>(act: (receiver: Child) => Promise<T>): Promise<T> {
  return withProgram('receiver', {}, act)
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

async function setHeld({ url }: Child, webhookId: string, held: boolean): Promise<void> {
  await fetch(`${url}/_sandbox/api/webhooks/${webhookId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ held }),
  })
}

/** Causes events by one request. */
function trigger(sandbox: Child, times: number): Promise<unknown> {
  const repeat = { times }
  return control(sandbox, 'events', { ...event, repeat })
}

/** @returns body of a delivery */
export async function examplePayload(sandbox: Child): Promise<string> {
  const { payloads } = await control<{ payloads: { payload: unknown }[] }>(sandbox, 'events', {
    ...event,
    preview: true,
  })
  return JSON.stringify(payloads[0]?.payload)
}

/**
 * Holds so many deliveries of each webhook, then releases them, so that their creation is not measured.
 * @returns milliseconds from the first arrival to the last
 */
export async function deliverHeld(
  { sandbox, receiver }: Pick<WebhookWorld, 'sandbox' | 'receiver'>,
  webhookIds: readonly string[],
  count: number,
): Promise<number> {
  for (const webhookId of webhookIds) await setHeld(sandbox, webhookId, true)
  await trigger(sandbox, count)
  await sleep(100)
  const arrived = receiver.ask<number>('expect', count * webhookIds.length)
  for (const webhookId of webhookIds) await setHeld(sandbox, webhookId, false)
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
