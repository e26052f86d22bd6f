/**
 * Reads a web origin (RFC 6454 §6.2) of http or of any other scheme that apps serve pages by, such as
 * `capacitor://localhost` and `chrome-extension://ID`, which `URL.origin` does not know.
 * @returns the origin as browsers send it; undefined for anything else, such as `null` or a URL with a path
 */
export function readWebOrigin(text: string): string | undefined {
  const [, origin = ''] = /^([a-z][a-z\d+.-]*:\/\/[\w.:[\]~%-]*)\/?$/i.exec(text) ?? []
  if (!URL.canParse(origin)) return undefined
  return /^https?:/i.test(origin) ? new URL(origin).origin : origin.toLowerCase()
}

/** Returns the web origin of a URI; undefined for a URI without an authority, such as `com.example:/callback`. */
export function webOriginOf(uri: string): string | undefined {
  return readWebOrigin(/^[^/?#]*:\/\/[^/?#]*/.exec(uri)?.[0] ?? '')
}
