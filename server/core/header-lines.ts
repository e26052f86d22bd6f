import type { IncomingMessage, Server } from 'node:http'

/** Header lines that a request may have. */
const mostHeaderLines = 2_000

export const tooManyHeaderLines = `The request has more than ${mostHeaderLines} header lines: send fewer.`

/**
 * Makes a server read one line more than is accepted. Node drops the lines beyond its limit silently: what frames the
 * body (RFC 9112 §6) or names an origin may be among them.
 */
export function countHeaderLines<Counted extends Server>(server: Counted): Counted {
  server.maxHeadersCount = mostHeaderLines + 1
  return server
}

/** @param request of a server with {@link countHeaderLines} */
export function hasTooManyHeaderLines({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * mostHeaderLines
}

/**
 * Whether the packet at which a parser gave up has too many header lines. Newer versions of Node refuse such a request
 * themselves, with the error of headers that are too large.
 */
export function hasTooManyLines(packet: Buffer): boolean {
  return packet.toString('latin1').split('\n').length > mostHeaderLines
}
