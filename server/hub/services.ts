import type { Fixtures } from '../contract/fixtures-types.ts'
import type { Closers } from '../web/closers.ts'
import type { RateLimits } from './access/rate-limits.ts'
import type { BucketFeed } from './buckets/bucket-feed.ts'
import type { Deps } from './deps.ts'
import type { Git } from './git/git.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { ScheduledJobs } from './jobs/scheduled-jobs.ts'
import type { CodeGuesses } from './oauth/code-guesses.ts'
import type { DevicePolls } from './oauth/device-polls.ts'
import type { SigningKeys } from './oauth/signing-keys.ts'
import type { LfsTransfers } from './uploads/lfs-transfers.ts'
import type { WebhookEngine } from './webhooks/engine/engine.ts'
import type { XetTokens } from './xet/xet-tokens.ts'

/** Services that the routes of the Hub use, those of the control API in this folder included. */
export interface HubServices extends Deps {
  readonly keys: SigningKeys
  readonly polls: DevicePolls
  readonly guesses: CodeGuesses
  readonly limits: RateLimits
  readonly git: Git
  readonly lfs: LfsTransfers
  readonly xet: XetTokens
  readonly bucketFeed: BucketFeed
  readonly jobs: Jobs
  readonly scheduledJobs: ScheduledJobs
  readonly engine: WebhookEngine
  readonly closers: Closers
  /** Open Space frames, as far as a page of the Hub needs to know them. */
  readonly frames: { list(): readonly unknown[] }
  /** The fixtures that were loaded, with defaults filled in. */
  fixtures(): Fixtures
  /** Resolves when all changes made so far are in the journal; `undefined` when nothing waits. */
  committed(): Promise<void> | undefined
}
