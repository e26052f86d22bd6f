import type { RealTime } from '../core/real-time.ts'
import type { IdPosition } from '../core/ids.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import type { ReplacedState } from '../contract/control-sandbox.ts'
import type { EventLog } from '../events/log.ts'
import type { ShownRun } from '../requests/exports/recorded-run.ts'
import type { RequestLog } from '../requests/log/request-log.ts'
import type { Barriers } from '../lab/faults/barriers.ts'
import type { Faults } from '../lab/faults/faults.ts'
import type { Git } from '../git/git.ts'
import type { Jobs } from '../hub/jobs/jobs.ts'
import type { ScheduledJobs } from '../hub/jobs/scheduled-jobs.ts'
import type { ForkPlaces, Forks } from '../lab/triggers/forks.ts'
import type { LogSegments } from '../lab/triggers/log-segments.ts'
import type { TemporaryWebhooks } from '../lab/triggers/temporary-webhooks.ts'
import type { KeptSandbox } from '../objects/kept-sandbox.ts'
import type { WebhookEngine } from '../webhooks/engine/engine.ts'
import type { Demos } from '../lab/demos/demos.ts'
import type { Frames } from '../network/frames/frames.ts'
import type { Links } from '../network/links.ts'
import type { Repeats } from '../lab/triggers/repeats.ts'
import type { AdviceExceptions } from '../advice/exceptions.ts'
import type { RunAdvice } from '../advice/run-advice.ts'
import type { Audits } from '../audit/runs.ts'
import type { VisitedPage, VisitRequest } from '../network/visit-page.ts'
import type { LfsTransfers } from '../hub/uploads/lfs-transfers.ts'
import type { BucketFeed } from '../hub/buckets/bucket-feed.ts'
import type { XetTokens } from '../hub/xet/xet-tokens.ts'
import type { RateLimits } from '../hub/access/rate-limits.ts'
import type { CodeGuesses } from '../oauth/code-guesses.ts'
import type { OAuthDeps } from '../oauth/deps.ts'

/** Files that the environment of a client program refers to. */
export interface ClientFiles {
  /** Certificate of a sandbox that answers by HTTPS. */
  readonly certificatePath?: string
  /** Variables that name folders for cached files. */
  readonly caches?: Readonly<Record<string, string>>
}

/** Dependencies of routes: the domain's and the services around it. */
export interface ServerDeps extends OAuthDeps {
  readonly engine: WebhookEngine
  readonly jobs: Jobs
  readonly scheduledJobs: ScheduledJobs
  /** The repos, for clients of git. */
  readonly git: Git
  /** Temporary links to local receivers, part of the state. */
  readonly links: Links
  /** Apps in cross-site frames, as the Hub embeds Spaces. */
  readonly frames: Frames
  /** Triggers that are repeated at a rate. */
  readonly repeats: Repeats
  /** Sign-ins in which the sandbox plays the app. */
  readonly demos: Demos
  /** Webhooks that live as long as a client follows them. */
  readonly temporaryWebhooks: TemporaryWebhooks
  /** Sandboxes that were made from the state of this one. */
  readonly forks: Forks
  readonly forkPlaces: ForkPlaces
  /** Segments of the log, kept across resets for followers. */
  readonly segments: LogSegments
  /** Counts of wrong device codes per user. */
  readonly guesses: CodeGuesses
  /** Used quota of each caller. */
  readonly limits: RateLimits
  /** Uploads of large files. */
  readonly lfs: LfsTransfers
  /** Tokens and URLs of the Xet storage. */
  readonly xet: XetTokens
  /** Changes of files of buckets, for clients that follow them. */
  readonly bucketFeed: BucketFeed
  /** Recorded run that is shown read-only. */
  readonly recordedRun: ShownRun
  /** Recent facts, for the live feed. */
  readonly live: EventLog
  /** Exceptions from the checks. */
  readonly adviceExceptions: AdviceExceptions
  /** Findings over all resets and forks. */
  readonly runAdvice: RunAdvice
  /** Audits of apps and receivers that run, and the last ones. */
  readonly audits: Audits
  /** Recent requests, for the request view. */
  readonly requests: RequestLog
  /** Time of the machine, for waits that the sandbox clock must not move. */
  readonly realTime: RealTime
  /** Rules that change answers. */
  readonly faults: Faults
  /** Rules that hold requests. */
  readonly barriers: Barriers
  /** The fixtures that were loaded, with defaults filled in. */
  fixtures(): Fixtures
  /** Resolves when all changes made so far are in the journal; `undefined` when nothing waits. */
  committed(): Promise<void> | undefined
  /** Real time since the sandbox was started. */
  uptimeMs(): number
  /** Source of the fixtures, as text for users. */
  readonly fixturesSource: string
  /** The present state as it can be kept and put back. */
  captureState(): KeptSandbox
  /**
   * Puts a state in the place of the present one and forgets all around it (logs, rules) but what is to stay, at once,
   * so that the journal has the whole change or nothing of it. The signing keys stay.
   * @param kept one that was captured, or that {@link keptStateProblem} has nothing against
   * @param snapshot its name, for the listeners
   */
  replaceState(kept: KeptSandbox, snapshot?: string): ReplacedState
  /**
   * The state that the fixtures give. In memory it is made once where the time does not change it, because the tests of
   * a suite reset often.
   * @throws {Refusal} when the fixtures cannot be loaded
   */
  stageFixtures(): KeptSandbox
  /**
   * Returns to the fixtures completely; snapshots and signing keys stay.
   * @throws {Refusal} when the fixtures cannot be loaded; nothing has changed then
   */
  reset(): ReplacedState
  /**
   * Resets to other fixtures, which later resets load too.
   * @throws {Refusal} when they cannot be loaded; nothing has changed then
   */
  loadFixtures(fixtures: {
    fixtures: Fixtures
    fixturesHash: string
    fixturesOpenOrigins: boolean
  }): Promise<ReplacedState>
  /** How the user calls a command for this sandbox, and the options by which the command finds it. */
  readonly commandLine: { readonly command: readonly string[]; readonly options: readonly string[] }
  /**
   * Says where the ids of a seeded sandbox go on.
   * @param position absent = from the first again: nothing that was made of them is left
   */
  placeIds(position?: IdPosition): void
  /** Folder of the state; absent = memory only. */
  readonly dataDirectory?: string
  /** Files that programs of this machine use; none where the sandbox serves other machines too. */
  readonly clientFiles: ClientFiles
  /** Opens a page of an app, within the policy for webhook targets. */
  visitPage(request: VisitRequest): Promise<VisitedPage>
  /** Ends the sandbox for a client that asks for it, once what is being answered is out. */
  requestStop(): void
  /** Replaces the function that stops the sandbox: its starter may have more to end. The last call wins. */
  onStopRequest(stop: () => void): void
  /** Registers a function that ends open streams and sockets, before the server closes. */
  onClose(close: () => void): void
  /** Runs the callbacks registered with {@link onClose}. */
  closing(): void
}
