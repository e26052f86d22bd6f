import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { writeJson } from '../core/long-json.ts'
import { escapeControls } from '../core/terminal-text.ts'
import { answerInTime } from './patience.ts'
import { finishInTurns, type SteppedWork, takeSlices } from '../core/slices.ts'

/**
 * Sends a long response, which is made and written in steps: other requests have their turns.
 * @param work makes the response body
 */
export async function sendInTurns(
  reply: FastifyReply,
  work: SteppedWork<unknown>,
): Promise<FastifyReply> {
  return sendLong(reply, await finishInTurns(work, takeSlices()))
}

/** Sends a long response, which is written in steps. */
async function sendLong(reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  return sendJson(reply, await writeLong(value))
}

/**
 * Writes a long response in steps. It often becomes a file, such as fixtures: bidi controls in it are escaped, since they would
 * show another text than programs read.
 */
export function writeLong(value: unknown): Promise<Buffer> {
  return finishInTurns(writeJson(value, escapeControls), takeSlices())
}

/** Sends JSON that is already written. */
export function sendJson(reply: FastifyReply, body: Buffer): FastifyReply {
  answerInTime(reply)
  return reply.type('application/json; charset=utf-8').send(body)
}

/**
 * Sends a long response part by part, each made when the client has read those before it; controls are escaped as by
 * {@link writeLong}.
 * @param parts of JSON
 */
export function sendParts(reply: FastifyReply, parts: Iterable<string>): FastifyReply {
  async function* read(): AsyncGenerator<Buffer> {
    const pause = takeSlices()
    for (const part of parts) {
      yield Buffer.from(escapeControls(part))
      await pause()
    }
  }
  answerInTime(reply)
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(read(), { objectMode: false }))
}
