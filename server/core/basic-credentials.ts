/** Both as they were sent. */
export interface BasicCredentials {
  name: string
  /** `undefined` where there is no colon, `''` where nothing comes after it. */
  password: string | undefined
}

/**
 * What an `Authorization` header says by HTTP Basic (RFC 7617 §2).
 * @returns `undefined` for a header that is none
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
 * A client id or secret out of HTTP Basic: RFC 6749 §2.3.1 has both form-encoded first, and some libraries encode even
 * the hyphens of an id (`%2D`). Clients that forget to encode send the same for plain ids.
 */
export function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
