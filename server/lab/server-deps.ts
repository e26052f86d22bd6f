import type { IdPosition } from '../core/ids.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import type { ReplacedState } from '../contract/control-sandbox.ts'
import type { VisitedPage, VisitRequest } from '../web/outgoing/visit-page.ts'
import type { KeptSandbox } from '../store/objects/kept-sandbox.ts'
import type { Services } from './sandbox-services.ts'

/** Fixtures that a reset loads. */
export interface LoadedFixtures {
  readonly fixtures: Fixtures
  readonly fixturesHash: string
  readonly fixturesOpenOrigins: boolean
}

/** The services of a sandbox, and operations on the whole sandbox. */
export interface ServerDeps extends Services {
  /** The fixtures that were loaded, with defaults filled in. */
  fixtures(): Fixtures
  /** Resolves when all changes made so far are in the journal; `undefined` when nothing waits. */
  committed(): Promise<void> | undefined
  /** Real time since the sandbox was started. */
  uptimeMs(): number
  /** Source of the fixtures, as text for users. */
  readonly fixturesSource: string
  /** Folder of the state; absent = memory only. */
  readonly dataDirectory?: string
  /** The present state as it can be kept and put back. */
  captureState(): KeptSandbox
  /**
   * Puts a state in the place of the present one at once, so that the journal has the whole change or nothing of it; each
   * service forgets what belonged to the former one. The signing keys stay.
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
  loadFixtures(fixtures: LoadedFixtures): Promise<ReplacedState>
  /**
   * Says where the ids of a seeded sandbox go on.
   * @param position absent = from the first again: nothing that was made of them is left
   */
  placeIds(position?: IdPosition): void
  /** Opens a page of an app, within the policy for webhook targets. */
  visitPage(request: VisitRequest): Promise<VisitedPage>
  /** Stops the sandbox at the request of a client, after the responses in progress. */
  requestStop(): void
  /** Replaces the function that stops the sandbox: its starter may have more to end. The last call wins. */
  onStopRequest(stop: () => void): void
}
