import type { Issue } from './config-error.ts'
import { type OAuthErrorCode, oauthErrorStatuses } from '../contract/oauth-errors.ts'
import { shortened } from './shortened.ts'

/** Codes of refusals for which no RFC has a code. */
export type RefusalReason =
  /** The request is well-formed, but invalid. */
  | 'invalid'
  /** The request does not match its schema. */
  | 'invalid_shape'
  /** The request matches its schema, but has an impossible value. */
  | 'unprocessable'
  /** The request has neither a session nor a token. */
  | 'unauthenticated'
  /** The plan of the organization is not sufficient. */
  | 'plan_required'
  | 'forbidden'
  | 'not_found'
  /** The request conflicts with the current state. */
  | 'conflict'
  /** The resource has changed since the caller read it. */
  | 'outdated'
  /** A user is asked about an unknown app; for a calling client the code is `invalid_client`. */
  | 'unknown_client'
  /** The caller sends too many requests. */
  | 'rate_limited'
  /** Too much is queued; retry later. */
  | 'overloaded'
  /** The sandbox does not emulate this feature of the hub. */
  | 'not_emulated'
  /** The receiver of a delivery could not be reached. */
  | 'unreachable'
  | 'shutting_down'

/** Code of a refusal. The routes decide what it becomes on the wire. */
export type RefusalCode = RefusalReason | OAuthErrorCode

/** Checks whether the code is defined by an RFC, and so sent unchanged. */
export function isOAuthCode(code: RefusalCode): code is OAuthErrorCode {
  return Object.hasOwn(oauthErrorStatuses, code)
}

/** The hub's names of errors, which its clients turn into exceptions. */
export type HubErrorName = 'RepoNotFound' | 'RevisionNotFound' | 'EntryNotFound' | 'GatedRepo'

/** Most issues in a refusal. */
const mostIssues = 100

export interface RefusalOptions {
  /** Reason for the developer, only in request log and dashboard, never on the wire of the emulated hub. */
  readonly detail?: string
  /** All issues with their paths. */
  readonly issues?: readonly Issue[]
  readonly hubError?: HubErrorName
  /** Scope that would be sufficient. */
  readonly scope?: string
  /** Further facts for the caller, by the hub's names. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Seconds to wait before a retry. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/**
 * A refused request. The message is for people and is sent on the wire; each group of routes maps the code to its own
 * format and status.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly code: RefusalCode
  readonly detail: string | undefined
  readonly issues: readonly Issue[]
  readonly hubError: HubErrorName | undefined
  readonly scope: string | undefined
  readonly facts: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, options: RefusalOptions = {}) {
    // It is a response, which needs no stack: capturing one takes longer than the rest of a refused request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(shortened(message), options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.detail = options.detail === undefined ? undefined : shortened(options.detail)
    this.issues = firstIssues(options.issues ?? [])
    this.hubError = options.hubError
    this.scope = options.scope
    this.facts = options.facts ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Returns the first issues, shortened; a last one counts the others. */
function firstIssues(issues: readonly Issue[]): readonly Issue[] {
  const more = issues.length - mostIssues
  const first = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => ({ path: shortened(path), message: shortened(message) }))
  return more > 0 ? [...first, { path: '', message: `There are ${more} more mistakes.` }] : first
}

/** @throws {Refusal} `invalid` with all issues, if there are any */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first] = issues
  if (first === undefined) return
  const message = issues.length === 1 ? first.message : `There are ${issues.length} mistakes.`
  throw new Refusal('invalid', message, { issues })
}
