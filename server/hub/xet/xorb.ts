import { Refusal } from '../../core/refusal.ts'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import { loadXetHashes } from './hashes.ts'
import { decompressLz4 } from './lz4.ts'

// A xorb: up to 8,192 chunks, each with a header, compressed or not.
// https://huggingface.co/docs/xet/xorb

/** Chunk with its content. */
export interface XorbChunk extends KeptChunk {
  readonly content: Buffer
}

/** Most bytes of a xorb, as it is sent and as it is unpacked. */
export const mostXorbBytes = 64 * 1024 * 1024
/** Most chunks of a xorb. */
export const mostXorbChunks = 8192
/** Most bytes of a chunk. */
export const mostChunkBytes = 128 * 1024
/** Bytes of a chunk's header. */
export const headerBytes = 8

/** First byte of the footer that some clients append; a chunk begins with its version, which is 0. */
const footerStart = 'X'.codePointAt(0)
const schemes = { none: 0, lz4: 1, groupedLz4: 2 } as const

/**
 * Reads the chunks of a xorb as they come. A footer is not read: it repeats what the chunks say.
 * @throws {Refusal} `invalid` for a broken or too large one
 */
export async function* readXorb(body: AsyncIterable<Uint8Array>): AsyncGenerator<XorbChunk> {
  const hashes = await loadXetHashes()
  const input = new Input(body)
  let chunks = 0
  let unpacked = 0
  try {
    for (;;) {
      const first = await input.peek()
      if (first === undefined || first === footerStart) break
      const { scheme, packed, length } = parseHeader(await input.take(headerBytes))
      chunks += 1
      unpacked += length
      if (chunks > mostXorbChunks) throw broken(`it has more than ${mostXorbChunks} chunks`)
      if (unpacked > mostXorbBytes) throw broken(`its chunks have more than ${mostXorbBytes} bytes`)
      const content = unpack(await input.take(packed), scheme, length)
      yield { hash: hashes.chunk(content), length, content }
    }
    if (chunks === 0) throw broken('it has no chunk')
    await input.drop()
  } finally {
    await input.close()
  }
}

/** Writes the header of a chunk that is not compressed. */
export function plainHeader(length: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUIntLE(length, 1, 3)
  header.writeUInt8(schemes.none, 4)
  header.writeUIntLE(length, 5, 3)
  return header
}

function parseHeader(header: Buffer): { scheme: number; packed: number; length: number } {
  const version = header.readUInt8(0)
  if (version !== 0) throw broken(`a chunk has the unknown version ${version}`)
  const packed = header.readUIntLE(1, 3)
  const length = header.readUIntLE(5, 3)
  if (length === 0 || length > mostChunkBytes || packed > 2 * mostChunkBytes) {
    throw broken(`a chunk has 1 to ${mostChunkBytes} bytes, not ${Math.max(length, packed)}`)
  }
  return { scheme: header.readUInt8(4), packed, length }
}

function unpack(packed: Buffer, scheme: number, length: number): Buffer {
  if (scheme === schemes.lz4) return decompressLz4(packed, length)
  if (scheme === schemes.groupedLz4) return ungroup(decompressLz4(packed, length))
  if (scheme !== schemes.none) throw broken(`a chunk is compressed by the unknown scheme ${scheme}`)
  if (packed.length !== length) throw broken('a chunk without compression has two lengths')
  return packed
}

/** Restores bytes that were sorted by their position in each group of four. */
function ungroup(grouped: Buffer): Buffer {
  const { length } = grouped
  const content = Buffer.alloc(length)
  let from = 0
  for (let position = 0; position < 4; position++) {
    for (let to = position; to < length; to += 4) content[to] = grouped[from++] ?? 0
  }
  return content
}

/** Takes bytes from a stream by number. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)
  #taken = 0

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  /** @returns the next byte; `undefined` at the end */
  async peek(): Promise<number | undefined> {
    await this.#fill(1)
    return this.#buffered[0]
  }

  async take(count: number): Promise<Buffer> {
    await this.#fill(count)
    if (this.#buffered.length < count) throw broken('it ends in a chunk')
    const taken = this.#buffered.subarray(0, count)
    this.#buffered = this.#buffered.subarray(count)
    return taken
  }

  /** Reads and drops the rest. */
  async drop(): Promise<void> {
    while (await this.#read());
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #fill(count: number): Promise<void> {
    const parts = [this.#buffered]
    let length = this.#buffered.length
    while (length < count) {
      const chunk = await this.#read()
      if (chunk === undefined) break
      parts.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
      length += chunk.length
    }
    if (parts.length > 1) this.#buffered = Buffer.concat(parts)
  }

  async #read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#chunks.next()
    if (done === true) return undefined
    this.#taken += value.length
    // Clients cut xorbs at 64 MiB of content; headers and a footer come on top.
    if (this.#taken > mostXorbBytes + mostXorbChunks * 100) {
      throw broken(`it has more than ${mostXorbBytes} bytes`)
    }
    return value
  }
}

function broken(problem: string): Refusal {
  return new Refusal('invalid', `Broken xorb: ${problem}`)
}
