import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodyStream } from './body-stream.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'

/**
 * {@link bodyStream} of a client that goes on sending: the connection of one that stops is closed.
 * @param patienceMs how long nothing may come, while it is waited for
 * @throws as {@link bodyStream}
 */
export async function* bodyInTime(
  request: FastifyRequest,
  patienceMs: number,
): AsyncGenerator<Buffer, void, undefined> {
  const give = () => request.raw.destroy(new Error(`nothing came for ${patienceMs} ms`))
  let timer = setTimeout(give, patienceMs)
  try {
    for await (const chunk of bodyStream(request)) {
      clearTimeout(timer)
      yield chunk
      timer = setTimeout(give, patienceMs)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Closes the connection of a client that takes nothing of its answer, nor gets any, for so long. */
export function answerInTime({ raw }: FastifyReply, patienceMs: number): void {
  raw.setTimeout(patienceMs, () => raw.destroy())
}
