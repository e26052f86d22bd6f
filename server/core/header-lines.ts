import type { IncomingMessage, Server } from 'node:http'

/** Most header lines of a request. */
const mostHeaderLines = 2_000

export const tooManyHeaderLines = `The request has more than ${mostHeaderLines} header lines: send fewer.`

/**
 * Makes a server read one line more than is accepted. Node silently drops lines beyond its limit, which may include
 * those that frame the body (RFC 9112 §6) or name an origin.
 */
export function countHeaderLines<Counted extends Server>(server: Counted): Counted {
  server.maxHeadersCount = mostHeaderLines + 1
  return server
}

/** @param request request to a server with {@link countHeaderLines} */
export function hasTooManyHeaderLines({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * mostHeaderLines
}

/**
 * Checks whether the packet that a parser refused has too many header lines. Newer versions of Node refuse such a request
 * themselves, with the error for headers that are too large.
 */
export function hasTooManyLines(packet: Buffer): boolean {
  return packet.toString('latin1').split('\n').length > mostHeaderLines
}
