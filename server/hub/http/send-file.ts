import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag, parseRange } from '../files/byte-ranges.ts'
import type { FileContents } from '../files/file-contents.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'

/** Stored files must not run at the sandbox's origin. */
const noDocument = { 'content-security-policy': "default-src 'none'; sandbox" }

/** Sizes in bytes of the files that the CDN of the Hub packs. */
const packedSizes = { least: 1000, most: 10_000_000 }
const packedTypes = /^(?:text\/|application\/json)/

/**
 * Sends a file of a repo. As the CDN of the Hub does, it packs a text with gzip for a client that takes it: such a response
 * has no length, ignores a range, and its entity tag ends in `-gzip`.
 * @throws {HttpRefusal} 416 for an unsatisfiable range
 */
export function sendRepoFile(
  request: FastifyRequest,
  reply: FastifyReply,
  contents: FileContents,
  mediaType: string,
): FastifyReply {
  const { size, etag } = contents
  const isPackable =
    packedTypes.test(mediaType) && size >= packedSizes.least && size <= packedSizes.most
  if (isPackable)
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
  const { 'accept-encoding': accepted = '', 'if-none-match': known } = request.headers
  if (!isPackable || !takesGzip(accepted)) {
    return sendFile(request, reply, contents, mediaType)
  }
  const packedTag = etag.replace(/"$/, '-gzip"')
  reply.headers({ etag: packedTag, ...noDocument })
  if (namesTag(known, packedTag)) return reply.code(304).send()
  reply.type(mediaType).header('content-encoding', 'gzip')
  if (request.method === 'HEAD') return reply.send()
  return reply.send(pipeline(contents.read(), createGzip(), () => {}))
}

/** Reads whether `Accept-Encoding` names gzip, and not with a weight of 0 (RFC 9110 §12.5.3). */
function takesGzip(accepted: string): boolean {
  return accepted
    .split(',')
    .some((coding) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding))
}

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
