import type { ControlFacts, Visit } from '../app-module.ts'

/** Way to make an app sign a user in. */
export interface Driver {
  readonly canUse: boolean
  /** Whether it is a browser inside the sandbox, so that callbacks can be sent again. */
  readonly isBrowser: boolean
  /** Whether it can ask the app if the user is signed in. */
  readonly hasProbe: boolean
  /** Restarts the app, and resolves when it has been done; absent without a command for it. */
  readonly restart?: ((module: string) => Promise<void>) | undefined
  /** Opens a fresh browser. */
  open(module: string): DriverSession
}

/** Browser of one module. Every method rejects with a {@link DriverProblem} when it fails. */
export interface DriverSession {
  readonly visits: readonly Visit[]
  /** @param step place of the step in the module, for the visits */
  /** @param other who signs in, if it is not the user of the audit; only for browsers */
  signIn(step: number, other?: ControlFacts['otherUser']): Promise<void>
  use(step: number, times: number): Promise<void>
  callbackAgain(step: number): Promise<void>
  /** Opens the callback of another user in a fresh browser, in which the probe asks from then on. */
  foreignCallback(step: number, other: NonNullable<ControlFacts['otherUser']>): Promise<void>
  /** Asks whether the user is signed in; only for drivers with a probe. */
  probe(): Promise<boolean>
  /** Page that the last probe saw, if the driver sees pages. */
  probedPage?(): string | undefined
  /** Last output of the program that signs in, for a sign-in that does not begin. */
  said?(): string | undefined
  /** Checks whether the app still responds; `undefined` if the driver cannot see it. */
  isAlive(): Promise<boolean | undefined>
}

/** The driver could not do a step. The message is a sentence for the developer. */
export class DriverProblem extends Error {}

/** The user skipped the module. */
export class SkippedModule extends Error {}
