/** Returns a kept body as a string; JSON may have had other white space on the wire. */
export function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (Buffer.isBuffer(body)) return body.toString('utf8')
  if (body instanceof URLSearchParams) return body.toString()
  return JSON.stringify(body)
}
