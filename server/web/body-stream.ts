import type { FastifyRequest } from 'fastify'
import { Refusal } from '../core/refusal.ts'
import { HttpRefusal } from './plugins/refusals.ts'

/**
 * Streams the body of a request. A client that is refused half-way still gets its response: the rest is read and dropped.
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
 * Reads a whole body.
 * @param hint appended to the error message, such as another way to send it
 * @throws {HttpRefusal} 413 as soon as it exceeds `mostBytes`
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
