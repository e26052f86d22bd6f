import type { FastifyReply } from 'fastify'
import { oauthErrorStatuses } from '../../contract/oauth-errors.ts'
import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import { shortened } from '../../core/shortened.ts'
import { MissingObjectError } from '../../objects/object-store.ts'
import { StateError } from '../../state/errors.ts'

/** What HTTP calls each reason, whichever routes tell it (RFC 9110 §15). */
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

/** A refusal that HTTP itself gives its status: of a body that is too large, or a page that must not ask. */
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

/** What a 401 asks for (RFC 9110 §15.5.2); an error is named only where credentials were sent (RFC 6750 §3). */
export const bearerChallenge = 'Bearer realm="hub-sandbox"'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, or what is to be said of it: for the request log, never on the wire. */
    refusal?: Noted
  }
}

/** @param message what a page told its user, where it is not the detail: the log keeps no pages to read it from */
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

/** Notes for the request log what a developer should know of a request that succeeded. */
export function noteRemark(request: { refusal?: Noted }, detail: string | undefined): void {
  if (detail !== undefined) request.refusal = { detail: shortened(detail) }
}

interface Noted {
  /** Absent where nothing was refused. */
  error?: string
  detail: string
  message?: string
}

/** What is told of an error that nobody foresaw: of files that cannot be used what their user can fix, else nothing. */
export function textOfFailure(error: unknown): string {
  return isOfDataFolder(error)
    ? `The sandbox could not use its data folder: ${error.message}.`
    : 'The sandbox failed; its log tells why.'
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

/** Removes headers that describe a file which turned out to be unreadable: they are not true of the error. */
export function dropFileHeaders(reply: FastifyReply): void {
  for (const name of ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag']) {
    reply.removeHeader(name)
  }
}
