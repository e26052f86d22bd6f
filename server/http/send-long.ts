import type { FastifyReply } from 'fastify'
import { writeJson } from '../core/long-json.ts'
import { escapeControls } from '../core/terminal-text.ts'
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

/**
 * Sends a long response, which is written in steps. It often becomes a file, such as an HTTP Archive: bidi controls in it are
 * escaped, since they would show another text than programs read.
 */
export async function sendLong(reply: FastifyReply, value: unknown): Promise<FastifyReply> {
  const body = await finishInTurns(writeJson(value, escapeControls), takeSlices())
  return reply.type('application/json; charset=utf-8').send(body)
}
