import type { Fixtures } from '../contract/fixtures-types.ts'
import type { EventLog } from '../events/log.ts'
import type { RequestLog } from '../events/request-log.ts'
import type { WebhookEngine } from '../webhooks/engine.ts'
import type { Deps } from './deps.ts'

/** What routes are handed: the domain's deps and the services around it. */
export interface ServerDeps extends Deps {
  readonly engine: WebhookEngine
  /** Recent facts, for the live feed. */
  readonly live: EventLog
  /** Recent requests, for the request view. */
  readonly requests: RequestLog
  /** The fixtures that were loaded, with defaults filled in. */
  fixtures(): Fixtures
  /** Resolves when all changes made so far are in the journal; `undefined` when nothing waits. */
  committed(): Promise<void> | undefined
  /** Back to the fixtures, completely; snapshots stay. */
  reset(): Promise<void>
  /** Stops every open socket and stream of the live kind; called when the server closes. */
  onClose(close: () => void): void
}
