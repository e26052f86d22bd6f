import type { FastifyReply } from 'fastify'
import { oauthErrorStatuses } from '../../contract/oauth-errors.ts'
import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import { shortened } from '../../core/shortened.ts'
import { MissingObjectError } from '../../store/objects/object-store.ts'
import { StateError } from '../../store/errors.ts'

/** HTTP status of each reason, for all routes (RFC 9110 §15). */
const statuses: Record<RefusalCode, number> = {
  ...oauthErrorStatuses,
  invalid: 400,
  invalid_shape: 400,
  unknown_client: 400,
  unauthenticated: 401,
  plan_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  outdated: 412,
  unprocessable: 422,
  rate_limited: 429,
  overloaded: 429,
  not_emulated: 501,
  unreachable: 502,
  shutting_down: 503,
}

/** Refusal with its own HTTP status, such as a body that is too large. */
export class HttpRefusal extends Refusal {
  override readonly name: string = 'HttpRefusal'
  readonly status: number

  constructor(status: number, ...refusal: ConstructorParameters<typeof Refusal>) {
    super(...refusal)
    this.status = status
  }

  /** Status as Fastify reads it from the error of a body. */
  get statusCode(): number {
    return this.status
  }
}

export function statusOf(refusal: Refusal): number {
  return refusal instanceof HttpRefusal ? refusal.status : statusOfCode(refusal.code)
}

export function statusOfCode(code: RefusalCode): number {
  return statuses[code]
}

/** Challenge of a 401 (RFC 9110 §15.5.2); it names an error only if credentials were sent (RFC 6750 §3). */
export const bearerChallenge = 'Bearer realm="hub-sandbox"'

declare module 'fastify' {
  interface FastifyRequest {
    /** Reason of a refusal, or a remark: for the request log, never on the wire. */
    refusal?: Noted
  }
}

/** @param message text that a page showed, if it differs from the detail: the log keeps no pages */
export function noteRefusal(
  request: { refusal?: Noted },
  error: string,
  detail: string,
  message?: string,
): void {
  request.refusal = {
    error,
    detail: shortened(detail),
    ...(message === undefined ? {} : { message: shortened(message) }),
  }
}

/** Adds a remark about a successful request to the request log. */
export function noteRemark(request: { refusal?: Noted }, detail: string | undefined): void {
  if (detail !== undefined) request.refusal = { detail: shortened(detail) }
}

interface Noted {
  /** Absent for a remark. */
  error?: string
  detail: string
  message?: string
}

/** Returns the public text of an unexpected error: for unusable files a fix, else nothing specific. */
export function textOfFailure(error: unknown): string {
  return isOfDataFolder(error)
    ? `The sandbox could not use its data folder: ${error.message}.`
    : 'The sandbox failed; its log has the reason.'
}

function isOfDataFolder(error: unknown): error is Error {
  return (
    error instanceof StateError || (error instanceof MissingObjectError && error.file !== undefined)
  )
}

/** A header holds printable ASCII only (RFC 9110 §5.5). */
export function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}

/** Formats a parameter of a challenge (RFC 6750 §3), which allows no quotes and backslashes. */
export function errorDescription(message: string): string {
  return `error_description="${message.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`
}

/** Removes the headers of a file that could not be read: they do not describe the error. */
export function dropFileHeaders(reply: FastifyReply): void {
  for (const name of ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag']) {
    reply.removeHeader(name)
  }
}
