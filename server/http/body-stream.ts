import type { FastifyRequest } from 'fastify'
import { Refusal } from '../core/refusal.ts'

/**
 * The body of a request as it comes. Whoever is refused half-way is told so: the rest still comes, and is dropped.
 * @throws {Refusal} `invalid` when it ends early
 */
export async function* bodyStream({
  raw,
}: FastifyRequest): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (error) {
    throw new Refusal('invalid', 'The body ended early', { cause: error })
  } finally {
    if (!raw.errored) raw.resume()
  }
}
