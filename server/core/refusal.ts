import type { Issue } from './config-error.ts'
import { type OAuthErrorCode, oauthErrorStatuses } from '../contract/oauth-errors.ts'
import { shortened } from './shortened.ts'

/** What the sandbox says when it refuses, where no RFC has a word for it. */
export type RefusalReason =
  /** The request was understood, and makes no sense or may not be. */
  | 'invalid'
  /** The request has not the shape that its schema describes. */
  | 'invalid_shape'
  /** The request has its shape, and something in it cannot be. */
  | 'unprocessable'
  /** Nobody is signed in, and no token was sent. */
  | 'unauthenticated'
  /** The organization is not on the plan that this needs. */
  | 'plan_required'
  | 'forbidden'
  | 'not_found'
  /** The request and the present state do not go together. */
  | 'conflict'
  /** What the caller knows has changed since. */
  | 'outdated'
  /** A user is to be asked for an app that does not exist; a client that calls is `invalid_client`. */
  | 'unknown_client'
  /** The caller asks too often. */
  | 'rate_limited'
  /** So much waits already that nothing more is taken; worth another try after a while. */
  | 'overloaded'
  /** The hub has this, and the sandbox does not. */
  | 'not_emulated'
  /** The receiver of a delivery could not be reached. */
  | 'unreachable'
  | 'shutting_down'

/** Why something is refused. What a code becomes on the wire is for the routes that answer to tell. */
export type RefusalCode = RefusalReason | OAuthErrorCode

/** Whether an RFC has the word, so that it is told letter for letter. */
export function isOAuthCode(code: RefusalCode): code is OAuthErrorCode {
  return Object.hasOwn(oauthErrorStatuses, code)
}

/** The hub's own names of refusals, which its clients turn into exceptions of their own. */
export type HubErrorName = 'RepoNotFound' | 'RevisionNotFound' | 'EntryNotFound' | 'GatedRepo'

/** Mistakes in one refusal. */
const mostIssues = 100

export interface RefusalOptions {
  /** Why, for the developer: request log and dashboard only, never on the wire of the emulated hub. */
  readonly detail?: string
  /** Everything that is wrong, each with its place. */
  readonly issues?: readonly Issue[]
  readonly hubError?: HubErrorName
  /** Scope that would have been enough. */
  readonly scope?: string
  /** What else the caller can use, by the names that the hub gives it. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** When another try is worth it. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/**
 * An `Error` that collects no stack. A refusal is an answer, and frequent while devices poll; where it was decided
 * says nothing that its message and detail do not, and finding out costs more than all the rest of the answer.
 */
const StacklessError = function (this: Error, message: string, options?: { cause?: unknown }) {
  this.message = message
  if (options !== undefined) this.cause = options.cause
} as unknown as new (message: string, options?: { cause?: unknown }) => Error
StacklessError.prototype = Object.create(Error.prototype, {
  constructor: { value: StacklessError },
}) as Error

/**
 * What is asked for is not done. The message is for people and goes on the wire; the code decides in which words and
 * with which status, and each group of routes has its own.
 */
export class Refusal extends StacklessError {
  override readonly name: string = 'Refusal'
  readonly code: RefusalCode
  readonly detail: string | undefined
  readonly issues: readonly Issue[]
  readonly hubError: HubErrorName | undefined
  readonly scope: string | undefined
  readonly facts: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, options: RefusalOptions = {}) {
    super(shortened(message), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.detail = options.detail === undefined ? undefined : shortened(options.detail)
    this.issues = firstIssues(options.issues ?? [])
    this.hubError = options.hubError
    this.scope = options.scope
    this.facts = options.facts ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The first mistakes, short enough to read; a last one counts the others. */
function firstIssues(issues: readonly Issue[]): readonly Issue[] {
  const more = issues.length - mostIssues
  const first = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => ({ path: shortened(path), message: shortened(message) }))
  return more > 0 ? [...first, { path: '', message: `There are ${more} more mistakes.` }] : first
}

/** @throws {Refusal} `invalid` naming every issue, when there is one */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first] = issues
  if (first === undefined) return
  const message = issues.length === 1 ? first.message : `There are ${issues.length} mistakes.`
  throw new Refusal('invalid', message, { issues })
}
