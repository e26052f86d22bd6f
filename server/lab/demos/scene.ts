import type { Decision } from '../../contract/words/oauth.ts'
import type { DemoAnswerer, DemoOutcome, DemoPace } from '../../contract/words/sandbox.ts'
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

/** What a device shows its user (RFC 8628 §3.3). */
export interface ShownCode {
  userCode: string
  verificationUri: string
  verificationUriComplete?: string
  /** Seconds. */
  expiresIn: number
}

/** What a script is handed: who takes part, and every way to the sandbox and to the time. */
export interface Scene {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  readonly cast: Cast
  readonly pace: DemoPace
  readonly answeredBy: DemoAnswerer
  /** What the sandbox answers for the user. */
  readonly decision: Decision
  /** Who was asked for; absent = the first that fits. */
  readonly user?: CastUser
  /** Client id that was asked for; absent = the first that fits. */
  readonly clientId?: string
  readonly ids: Pick<Ids, 'bytes' | 'alphanumeric'>
  send(message: Message): Promise<Reply>
  /**
   * Waits for what the script cannot hurry.
   * @param why shown meanwhile, a sentence
   */
  waitFor<T>(why: string, what: Promise<T>): Promise<T>
  /** Lets so many milliseconds of real time go by. */
  pause(ms: number): Promise<void>
  /** Milliseconds of real time, from any beginning. */
  realNow(): number
  /** Told which app is played, and for whom, before the first cue. */
  plays(app: { clientId: string; name: string }, user?: CastUser): void
  /** Told what the device shows; `undefined` when it no longer does. */
  shows(code: ShownCode | undefined): void
  /** Opens the page that a person's browser comes back to; absent where a browser could not reach one. */
  openCallback?(host: string, path: string, state: string): Promise<Callback>
}

/** What comes next, said before it is played. */
export interface Cue {
  /** In the words of the field: `token request`. */
  name: string
  /** What will happen, in a sentence. */
  explanation: string
  /** Where a person can do it in a browser instead. */
  url?: string
  /** Settles when a person has. */
  elsewhere?: Promise<unknown>
}

/** How it ended. */
export interface Ending {
  outcome: Exclude<DemoOutcome, 'failed'>
  explanation: string
  fix?: string
}

/** Says what comes next, and plays it when it is asked for more; the first cue comes before any request. */
export type Script = AsyncGenerator<Cue, Ending, undefined>
