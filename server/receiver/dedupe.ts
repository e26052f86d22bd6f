import { createHash } from 'node:crypto'
import type { WebhookHandler } from './handler.ts'
import type { Log } from './log.ts'
import type { UpdatedFiles, WebhookPayload } from './payload.ts'
import { json } from './rejection.ts'

/**
 * Remembers which deliveries were handled, since the hub sends at least once. Only successful ones
 * are stored, so a failed delivery is handled again when the hub retries it. Methods may be async.
 */
export interface DedupeStore {
  /** Returns the stored value of a key, or undefined. */
  get(key: string): string | undefined | Promise<string | undefined>
  /** @param handledAt ISO 8601 */
  set(key: string, handledAt: string): void | Promise<void>
}

export interface MemoryStoreOptions {
  /** Most keys kept; the oldest go first. Default: 10,000. */
  max?: number
  /** How long a key is kept, in milliseconds. Default: 24 hours. */
  ttlMs?: number
  /** The present time in milliseconds, for tests. */
  now?: () => number
}

/** A store that lives as long as the process; several processes need one that they share. */
export function memoryStore(options: MemoryStoreOptions = {}): DedupeStore {
  const { max = 10_000, ttlMs = 24 * 60 * 60 * 1000, now = Date.now } = options
  const entries = new Map<string, { handledAt: string; expiresAt: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      return entry !== undefined && entry.expiresAt > now() ? entry.handledAt : undefined
    },
    set(key, handledAt) {
      // Taken out first, so that the order of the map is the order of expiry.
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
 * Returns the key shared by every attempt and replay of one delivery: the hub's `Webhook-Id`, or, from
 * senders without it, a digest of what happened. Of two such changes that read alike (a title set
 * to A, to B and to A again) the digest cannot tell the second from a retry: keep its keys briefly.
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

/** Marks the answer to a delivery that was handled before. */
export const duplicateHeader = 'x-webhook-duplicate'

/**
 * Makes a handler run once per delivery. An attempt that arrives while an earlier one is still
 * running waits for it and shares its fate.
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

// The work is done by now: a failing store must not make the hub send it again.
async function remember(store: DedupeStore, key: string, log: Log): Promise<void> {
  try {
    await store.set(key, new Date().toISOString())
  } catch (error) {
    log.error('The dedupe store failed; a retry of this delivery would be handled twice.', error)
  }
}
