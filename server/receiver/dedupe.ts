import { createHash } from 'node:crypto'
import type { WebhookHandler } from './handler.ts'
import type { Log } from './log.ts'
import type { UpdatedFiles, WebhookPayload } from './payload.ts'
import { json } from './rejection.ts'

/**
 * Stores the deliveries that were handled, because the Hub sends each at least once. Only successful ones are stored, so a
 * failed delivery is handled again when the Hub retries it. Methods may be async.
 */
export interface DedupeStore {
  /** Returns the stored value of a key, or undefined. */
  get(key: string): string | undefined | Promise<string | undefined>
  /** @param handledAt ISO 8601 */
  set(key: string, handledAt: string): void | Promise<void>
}

export interface MemoryStoreOptions {
  /** Maximum number of keys; the oldest are removed first. Default: 10,000. */
  max?: number
  /** Lifetime of a key, in milliseconds. Default: 24 hours. */
  ttlMs?: number
  /** Current time in milliseconds, for tests. */
  now?: () => number
}

/** Creates a store that ends with the process; several processes need a shared one. */
export function memoryStore(options: MemoryStoreOptions = {}): DedupeStore {
  const { max = 10_000, ttlMs = 24 * 60 * 60 * 1000, now = Date.now } = options
  const entries = new Map<string, { handledAt: string; expiresAt: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      return entry !== undefined && entry.expiresAt > now() ? entry.handledAt : undefined
    },
    set(key, handledAt) {
      // Removed first, so that the order of the map is the order of expiry.
      entries.delete(key)
      entries.set(key, { handledAt, expiresAt: now() + ttlMs })
      for (const [oldest, { expiresAt }] of entries) {
        if (entries.size <= max && expiresAt > now()) break
        entries.delete(oldest)
      }
    },
  }
}

/**
 * Returns the key of all attempts and replays of one delivery: the Hub's `Webhook-Id`, or a digest of the event if the sender
 * has none. The digest cannot distinguish a retry from a second equal change (a title set to A, to B and to A again): keep
 * its keys briefly.
 */
export function dedupeKey(payload: WebhookPayload, headers?: Headers): string {
  const given = headers?.get('webhook-id')
  if (given !== undefined && given !== null && given !== '') return given
  const { event, repo, webhook, updatedRefs, updatedConfig, movedTo, discussion, comment } = payload
  const { updatedFiles } = payload as UpdatedFiles
  const facts = [
    webhook.id,
    event.scope,
    event.action,
    repo.id,
    updatedRefs?.map(({ ref, newSha }) => [ref, newSha]),
    // Without them the key is as before.
    ...(updatedFiles ? [updatedFiles] : []),
    updatedConfig,
    movedTo?.name,
    discussion,
    comment && [comment.id, comment.content, comment.hidden],
  ]
  return `derived-${createHash('sha256').update(JSON.stringify(facts)).digest('hex')}`
}

/** Header of the response to a delivery that was handled before. */
export const duplicateHeader = 'x-webhook-duplicate'

/**
 * Makes a handler run once per delivery. An attempt that arrives while an earlier one is running waits for it and has the
 * same outcome.
 */
export function oncePerDelivery(
  handler: WebhookHandler,
  store: DedupeStore,
  log: Log,
): WebhookHandler {
  const running = new Map<string, Promise<unknown>>()
  return async (payload, context) => {
    const key = `${context.endpoint} ${context.dedupeKey}`
    const earlier = running.get(key)
    if (earlier !== undefined) {
      const result = await earlier
      return isSuccess(result) ? duplicate() : json(500, { error: 'The earlier attempt failed.' })
    }
    const work = (async () => {
      if ((await store.get(key)) !== undefined) return duplicate()
      const result = await handler(payload, context)
      if (isSuccess(result)) await remember(store, key, log)
      return result
    })()
    running.set(key, work)
    try {
      return await work
    } finally {
      running.delete(key)
    }
  }
}

function isSuccess(result: unknown): boolean {
  return !(result instanceof Response) || result.ok
}

function duplicate(): Response {
  return json(200, { duplicate: true }, { [duplicateHeader]: 'true' })
}

// The work is done: a failing store must not make the Hub send the delivery again.
async function remember(store: DedupeStore, key: string, log: Log): Promise<void> {
  try {
    await store.set(key, new Date().toISOString())
  } catch (error) {
    log.error('The dedupe store failed; a retry of this delivery would be handled twice.', error)
  }
}
