import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../core/refusal.ts'

/** How clients of git may have packed what they send. */
export const bodyEncodings: readonly string[] = ['identity', 'gzip', 'x-gzip']

/**
 * What a client sends, unpacked where it has packed it: git does so with a long list of what it has.
 * @param encoding one of {@link bodyEncodings}
 * @throws {Refusal} `invalid` when it cannot be unpacked; as the body does
 */
export async function* unpackBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (encoding === 'identity') {
    yield* body
    return
  }
  const gunzip = createGunzip()
  const fed = pipeline(body, gunzip)
  // It fails as well where its output is read.
  fed.catch(() => undefined)
  try {
    yield* gunzip as AsyncIterable<Buffer>
    await fed
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('invalid', 'The body is damaged, or ended early', { cause: error })
  }
}
