/** Both as sent. */
export interface BasicCredentials {
  name: string
  /** `undefined` without a colon, `''` if nothing follows it. */
  password: string | undefined
}

/**
 * Reads the credentials of an `Authorization` header with HTTP Basic (RFC 7617 §2).
 * @returns `undefined` for any other header
 */
export function readBasic(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0
    ? { name: pair, password: undefined }
    : { name: pair.slice(0, colon), password: pair.slice(colon + 1) }
}

/**
 * Decodes a client id or secret of HTTP Basic: RFC 6749 §2.3.1 form-encodes both, and some libraries encode even the
 * hyphens of an id (`%2D`). Clients that do not encode send the same for plain ids.
 */
export function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
