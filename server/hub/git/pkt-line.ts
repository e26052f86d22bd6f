// Format of the smart protocol: lines with their length before them, in four hexadecimal digits that count
// themselves. Three lengths that no line can have stand for marks between lines.
//
// @see gitprotocol-common, "pkt-line Format"; gitprotocol-v2, "Packet-Line Framing"

/** Ends a part of a message. */
export const flushPacket = Buffer.from('0000')

/** Special packet: `flush` ends a message or a part of it, `delimiter` separates sections. */
export type PacketMark = 'flush' | 'delimiter' | 'response-end'
/** Line with its ending, or a special packet. */
export type Packet = Buffer | PacketMark

/** Bytes of the longest line without its length. */
export const longestLine = 65_516

const marks: readonly PacketMark[] = ['flush', 'delimiter', 'response-end']

/** Invalid message of git. */
export class PacketError extends Error {
  override readonly name = 'PacketError'
}

/** @throws {TypeError} for more than {@link longestLine} */
export function packetOf(line: string | Uint8Array): Buffer {
  const bytes = Buffer.from(line)
  if (bytes.length > longestLine) throw new TypeError(`a line of ${bytes.length} bytes is too long`)
  const length = (bytes.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), bytes])
}

/**
 * Reads the line or mark at the beginning of some bytes.
 * @returns `undefined` if its end is missing
 * @throws {PacketError} for an invalid line
 */
function readPacket(bytes: Buffer): { packet: Packet; size: number } | undefined {
  if (bytes.length < 4) return undefined
  const digits = bytes.toString('latin1', 0, 4)
  if (!/^[0-9a-f]{4}$/i.test(digits)) {
    throw new PacketError(`${JSON.stringify(digits)} is no length of a line`)
  }
  const length = Number.parseInt(digits, 16)
  if (length < 4) {
    const packet = marks[length]
    if (packet === undefined) throw new PacketError(`a line cannot have the length ${digits}`)
    return { packet, size: 4 }
  }
  if (length > bytes.length) return undefined
  return { packet: bytes.subarray(4, length), size: length }
}

function cutShort(rest: Buffer): PacketError {
  return new PacketError(
    `the message ends within ${rest.length < 4 ? 'the length of a line' : 'a line'}`,
  )
}

/** Reads the lines of a whole message, without copies. @throws {PacketError} for an invalid or truncated line */
export function* packetsOf(message: Buffer): Generator<Packet, void, undefined> {
  for (let rest = message; rest.length > 0;) {
    const read = readPacket(rest)
    if (read === undefined) throw cutShort(rest)
    yield read.packet
    rest = rest.subarray(read.size)
  }
}

/** Reads lines from the beginning of a stream; the rest can be read afterwards. */
export class PacketReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /**
   * @returns `undefined` at the end of the stream
   * @throws {PacketError} for an invalid or truncated line
   */
  async next(): Promise<Packet | undefined> {
    for (;;) {
      const read = readPacket(this.#rest)
      if (read !== undefined) {
        this.#take(read.size)
        return read.packet
      }
      const { done, value } = await this.#chunks.next()
      if (done === true) {
        if (this.#rest.length === 0) return undefined
        throw cutShort(this.#rest)
      }
      this.#rest = Buffer.concat([this.#rest, value])
    }
  }

  /** Returns the rest of the stream. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#rest.length > 0) yield this.#take(this.#rest.length)
    for (;;) {
      const { done, value } = await this.#chunks.next()
      if (done === true) return
      yield value
    }
  }

  /** Closes the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #take(size: number): Buffer {
    const taken = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    return taken
  }
}
