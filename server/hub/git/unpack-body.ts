import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../core/refusal.ts'

/** Content encodings of git clients. */
export const bodyEncodings: readonly string[] = ['identity', 'gzip', 'x-gzip']

/**
 * Decodes the body of a request: git compresses a long list of known commits.
 * @param encoding one of {@link bodyEncodings}
 * @throws {Refusal} `invalid` for a damaged body; as the body does
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
  // The error is thrown where the output is read.
  fed.catch(() => undefined)
  try {
    yield* gunzip as AsyncIterable<Buffer>
    await fed
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('invalid', 'The body is damaged, or ended early', { cause: error })
  }
}
