import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { giveBack } from '../core/give-back.ts'
import { Refusal } from '../core/refusal.ts'
import { HttpRefusal } from './plugins/refusals.ts'

/**
 * The body of a request as it comes. A client that is refused half-way gets its response: the rest still comes, and is
 * dropped.
 * @throws {Refusal} `invalid` when it ends early or stalls
 */
export async function* bodyStream({
  raw,
}: FastifyRequest): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('invalid', 'The body ended early', { cause: error })
  } finally {
    if (!raw.errored) raw.resume()
  }
}

/**
 * {@link bodyStream} for who is done with each part when the next one is asked for: its memory is given back by then.
 * @throws as {@link bodyStream}
 */
export async function* passingBody(
  request: FastifyRequest,
): AsyncGenerator<Buffer, void, undefined> {
  // What came by no socket is in the memory of whoever made the request.
  const isOurs = request.raw.socket instanceof Socket
  for await (const part of bodyStream(request)) {
    yield part
    if (isOurs) giveBack(part)
  }
}

/**
 * Collects a body that is needed in one piece.
 * @param hint appended to the error message, such as another way to send it
 * @throws {HttpRefusal} 413 for more than `mostBytes`, as soon as they have come
 */
export async function readWholeBody(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  hint = '',
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > mostBytes) {
      throw new HttpRefusal(
        413,
        'invalid',
        `The body is too large: at most ${mostBytes} bytes${hint}`,
      )
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
