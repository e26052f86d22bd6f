import { gearHigh, gearLow, gearMiddle } from './gear-table.ts'
import { mostChunkBytes } from './xorb.ts'

// Chunks end where the content says. All clients cut it alike, so the same content has the same hash.
// https://huggingface.co/docs/xet/chunking

/** Least bytes of a chunk, unless it is the last of its file. */
export const leastChunkBytes = 8 * 1024
/** Bytes that the rolling hash depends on. */
const windowBytes = 64
/** A chunk ends where the upper 16 bits of the hash are 0. */
const mostHigh = 0xf

/**
 * Returns the end of the chunk that begins at an offset.
 * @param content has at least {@link mostChunkBytes} from there, or all that is left of the file
 */
export function chunkEnd(content: Uint8Array, start: number): number {
  const end = Math.min(start + mostChunkBytes, content.length)
  const least = start + leastChunkBytes
  // The rolling hash, in the parts of gear-table.ts.
  let low = 0
  let middle = 0
  let high = 0
  for (let index = least - windowBytes; index < end;) {
    const byte = content[index++] as number
    low = (low << 1) + (gearLow[byte] as number)
    middle = (middle << 1) + (gearMiddle[byte] as number) + (low >>> 24)
    high = ((high << 1) + (gearHigh[byte] as number) + (middle >>> 20)) & 0xfffff
    low &= 0xffffff
    middle &= 0xfffff
    if (high <= mostHigh && index >= least) return index
  }
  return end
}

/** Cuts a content into its chunks. */
export function* cutChunks(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length;) {
    const end = chunkEnd(content, start)
    yield content.subarray(start, end)
    start = end
  }
}
