import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag, parseRange } from '../hub/files/byte-ranges.ts'
import type { FileContents } from '../hub/files/file-contents.ts'
import { HttpRefusal } from './plugins/refusals.ts'
import { giveBackSent } from './sent-parts.ts'

/** Whatever somebody stored must not run under the address of the sandbox. */
const noDocument = { 'content-security-policy': "default-src 'none'; sandbox" }

/**
 * Answers with a file, or the part of it that is asked for.
 * @throws {HttpRefusal} 416 for a part that it does not have
 */
export function sendFile(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  contents: FileContents,
  mediaType: string,
): FastifyReply {
  const { size, etag } = contents
  reply.headers({ etag, 'accept-ranges': 'bytes', ...noDocument })
  if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(mediaType)
  const ifRange = headers['if-range']
  const asked = ifRange === undefined || ifRange === etag ? headers.range : undefined
  const range = size === 0 ? undefined : parseRange(asked, size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw new HttpRefusal(416, 'invalid', 'The file ends before this range', {
      detail: `it has ${size} bytes, and ${asked} was asked for`,
    })
  }
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  } else if (size === 0 && asked !== undefined) {
    // Clients that look at the first byte to learn the size take a 416 for a failure.
    reply.header('content-range', 'bytes */0')
  }
  reply.header('content-length', range === undefined ? size : range.last - range.first + 1)
  if (method === 'HEAD') return reply.send()
  giveBackSent(reply.raw)
  return reply.send(contents.read(range))
}
