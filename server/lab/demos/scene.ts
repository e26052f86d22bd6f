import type { Decision } from '../../contract/words/oauth-words.ts'
import type { DemoAnswerer, DemoOutcome, DemoPace } from '../../contract/words/sandbox-words.ts'
import type { Ids } from '../../core/ids.ts'
import type { Callback } from './callback.ts'
import type { Cast, CastUser } from './cast.ts'

/** A request to the sandbox, as a client on a socket sends it. */
export interface Message {
  method: 'GET' | 'POST'
  /** Path and query. */
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Reply {
  status: number
  headers: Readonly<Record<string, string | number | string[] | undefined>>
  body: string
}

/** Webhook of a demo, with its receiver. */
export interface DemoWebhook {
  /** Watched repo, such as `datasets/acme/corpus`. */
  readonly repo: string
  /** URL of the receiver. */
  readonly url: string
  /** Sets the next responses of the receiver. */
  respondsWith(status: number, body: Readonly<Record<string, unknown>>): void
  /** Pushes a commit to the repo. Resolves with the id of the delivery after its first attempt. */
  push(): Promise<string>
  willRetry(deliveryId: string): boolean
  /** Resolves after the next automatic attempt. */
  retry(deliveryId: string): Promise<void>
  replay(deliveryId: string): Promise<void>
  /** Deletes the webhook and stops the receiver. */
  close(): void
}

/** Code that a device shows its user (RFC 8628 §3.3). */
export interface ShownCode {
  userCode: string
  verificationUri: string
  verificationUriComplete?: string
  /** Seconds. */
  expiresIn: number
}

/** Environment of a script: cast, access to the sandbox, and time. */
export interface Scene {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  /** Issuer of ID tokens. */
  readonly issuer: string
  /** Whether the metadata announces `iss` in authorization responses (RFC 9207 §3). */
  readonly announcesIss: boolean
  readonly cast: Cast
  readonly pace: DemoPace
  readonly answeredBy: DemoAnswerer
  /** Whether a device also polls before the sandbox decides; always true if a person decides or steps are played. */
  readonly pollsEarly?: boolean
  /** Decision that the sandbox makes for the user. */
  readonly decision: Decision
  /** Requested user; absent = the first that fits. */
  readonly user?: CastUser
  /** Requested client id; absent = the first that fits. */
  readonly clientId?: string
  /** Requested scopes, separated by spaces; absent = the usual ones of the app. */
  readonly scope?: string
  readonly ids: Pick<Ids, 'bytes' | 'alphanumeric'>
  send(message: Message): Promise<Reply>
  /**
   * Waits for an event outside the script.
   * @param why sentence that is shown meanwhile
   */
  waitFor<T>(why: string, what: Promise<T>): Promise<T>
  /** Waits for a number of milliseconds of real time. */
  pause(ms: number): Promise<void>
  /** Time by which the app judges tokens, in milliseconds since 1970: sandbox or real time, the earlier one. */
  now(): number
  /** Milliseconds of real time, from any beginning. */
  realNow(): number
  /** Reports the app, if the script has one, and the user, before the first cue. */
  plays(app: { clientId: string; name: string } | undefined, user?: CastUser): void
  /** Reports the code that the device shows; `undefined` when it shows none any more. */
  shows(code: ShownCode | undefined): void
  /** Reports the delivery that the script is about. */
  delivers(deliveryId: string): void
  /** Creates a webhook of a user, with a receiver; absent where the script runs outside of the sandbox. */
  openWebhook?(owner: string): Promise<DemoWebhook>
  /** Opens the callback page for a person's browser; absent if the browser could not reach it. */
  openCallback?(host: string, path: string, state: string): Promise<Callback>
}

/** Announcement of the next step. */
export interface Cue {
  /** Name of the step: `token request`. */
  name: string
  /** Sentence that describes the step. */
  explanation: string
  /** URL at which a person can do the step in a browser instead. */
  url?: string
  /** Settles when a person has done it. */
  elsewhere?: Promise<unknown>
}

/** Outcome of a script. */
export interface Ending {
  outcome: Exclude<DemoOutcome, 'failed'>
  explanation: string
  fix?: string
}

/** Generator that yields each cue before its step and plays the step when resumed; the first cue comes before any request. */
export type Script = AsyncGenerator<Cue, Ending, undefined>
