import type { FastifyReply } from 'fastify'

/** Milliseconds without progress after which a client's connection is closed. */
const longestMs = 60_000

/** Closes the connection of a client that reads none of its response for so long. */
export function answerInTime({ raw }: FastifyReply, patienceMs = longestMs): void {
  raw.setTimeout(patienceMs, () => raw.destroy())
}
