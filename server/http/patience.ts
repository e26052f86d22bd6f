import type { FastifyReply } from 'fastify'

/** Closes the connection of a client that takes nothing of its response, nor gets any, for so long. */
export function answerInTime({ raw }: FastifyReply, patienceMs: number): void {
  raw.setTimeout(patienceMs, () => raw.destroy())
}
