import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { escapeControls } from '../core/terminal-text.ts'
import { answerInTime } from './patience.ts'

/**
 * Sends a long response. It often becomes a file, such as fixtures: bidi controls in it are escaped, since they would show
 * another text than programs read.
 */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return send(reply, escapeControls(JSON.stringify(value)))
}

/**
 * Sends a long response part by part, each made when the client has read those before it; controls are escaped as by
 * {@link sendJson}.
 * @param parts of JSON
 */
export function sendJsonParts(reply: FastifyReply, parts: Iterable<string>): FastifyReply {
  return send(reply, Readable.from(bytesOf(parts), { objectMode: false }))
}

function* bytesOf(parts: Iterable<string>): Generator<Buffer> {
  for (const part of parts) yield Buffer.from(escapeControls(part))
}

function send(reply: FastifyReply, body: string | Readable): FastifyReply {
  answerInTime(reply)
  return reply.type('application/json; charset=utf-8').send(body)
}
