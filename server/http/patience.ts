import type { FastifyReply } from 'fastify'

/** Closes the connection of a client that reads none of its response for so long. */
export function answerInTime({ raw }: FastifyReply, patienceMs: number): void {
  raw.setTimeout(patienceMs, () => raw.destroy())
}
