/**
 * Refusal of a request before it reaches a handler: thrown by the checks, and converted into a response in one place. Its body
 * is JSON with an `error` text, as that of the Python helper.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection'
  readonly status: number
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    status: number,
    message: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = status
    this.extra = extra
    this.headers = headers
  }

  toResponse(): Response {
    return json(this.status, { error: this.message, ...this.extra }, this.headers)
  }
}

/** Headers of every response that the helper writes itself. */
export const plainHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Creates a JSON response, which may be neither cached nor shown as a document. */
export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...plainHeaders, ...headers },
  })
}
