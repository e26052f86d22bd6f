import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag, parseRange } from '../files/byte-ranges.ts'
import type { FileContents } from '../files/file-contents.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'

/** Stored files must not run at the sandbox's origin. */
const noDocument = { 'content-security-policy': "default-src 'none'; sandbox" }

/**
 * Sends a file or the requested part of it.
 * @throws {HttpRefusal} 416 for an unsatisfiable range
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
  const range = parseRange(asked, size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw new HttpRefusal(416, 'invalid', 'The file ends before this range', {
      detail: `it has ${size} bytes, and ${asked} was asked for`,
    })
  }
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  }
  reply.header('content-length', range === undefined ? size : range.last - range.first + 1)
  if (method === 'HEAD') return reply.send()
  return reply.send(contents.read(range))
}
