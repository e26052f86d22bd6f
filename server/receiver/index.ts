/**
 * The receiver helper. Experimental: it may change without notice, so pin the version.
 * @module hub-sandbox/receiver
 */
export type { ExpressHandler } from './adapters/express.ts'
export type { FastifyPlugin } from './adapters/fastify.ts'
export type { NodeHandler } from './adapters/node.ts'
export { dedupeKey, memoryStore, type DedupeStore, type MemoryStoreOptions } from './dedupe.ts'
export { broaden, isEvent, type EventName, type PayloadFor } from './events.ts'
export type { CustomPage } from './exchange.ts'
export type { WebhookContext, WebhookHandler } from './handler.ts'
export type { Listening, ListenOptions } from './listen.ts'
export type { Log } from './log.ts'
export type * from './payload.ts'
export type { Reception } from './receptions.ts'
export {
  createWebhooks,
  type NamedHandler,
  type Webhooks,
  type WebhooksOptions,
} from './create-webhooks.ts'
