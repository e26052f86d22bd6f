import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate, deflateSync } from 'node:zlib'
import { adler32 } from './adler32.ts'
import { objectHeader } from './object-id.ts'

/** A content that is in a file. */
export interface ContentFile {
  readonly handle: FileHandle
  readonly size: number
}

const level = 1
const samples = 8
const sampleBytes = 8 * 1024
/** What gets no smaller than so is not worth the work, nor the memory that packing leaves behind for each byte of it. */
const worthwhile = 0.97
/** Of a block that is stored: its length has 16 bits. */
const mostStored = 0xffff
const storedHead = 5

/**
 * Writes a content as an object of git stands in a file of its own.
 * @param packed the file, which is not there yet
 * @returns the id of the object
 */
export async function packFile(content: ContentFile, packed: string): Promise<string> {
  const hash = createHash('sha1')
  if (await isDense(content)) await storeInto(packed, content, hash)
  else await deflateInto(packed, content, hash)
  return hash.digest('hex')
}

/** Whether it is packed already, as images and archives are, as far as some parts of it tell. */
async function isDense({ handle, size }: ContentFile): Promise<boolean> {
  const sample = Buffer.allocUnsafeSlow(sampleBytes)
  let [before, after] = [0, 0]
  for (let number = 0; number < samples; number++) {
    const position = Math.floor((number * Math.max(0, size - sampleBytes)) / (samples - 1))
    const { bytesRead } = await handle.read(sample, 0, sampleBytes, position)
    before += bytesRead
    after += deflateSync(sample.subarray(0, bytesRead), { level }).length
  }
  return after > before * worthwhile
}

async function deflateInto(packed: string, content: ContentFile, hash: Hash): Promise<void> {
  const deflate = createDeflate({ level })
  try {
    const writing = pipeline(deflate, createWriteStream(packed, { mode: 0o600, flush: true }))
    const put = async (bytes: Uint8Array) => {
      hash.update(bytes)
      // When the disk refuses what comes out, nobody says what became of what goes in.
      await Promise.race([writeTo(deflate, bytes), writing])
    }
    await put(headerOf(content))
    const place = Buffer.allocUnsafeSlow(64 * 1024)
    for await (const bytes of readInPlace(content, place)) await put(bytes)
    deflate.end()
    await writing
  } catch (error) {
    deflate.destroy()
    throw error
  }
}

/** Resolves when the stream needs the memory no more. */
function writeTo(stream: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * As it is, in blocks of what zlib cannot make smaller.
 * @see RFC 1950 2.2, RFC 1951 3.2.4
 */
async function storeInto(packed: string, content: ContentFile, hash: Hash): Promise<void> {
  const target = await open(packed, 'wx', 0o600)
  try {
    const header = headerOf(content)
    hash.update(header)
    let sum = adler32(header)
    await target.writeFile(
      Buffer.concat([Buffer.of(0x78, 0x01), headOfStored(header.length), header]),
    )
    const block = Buffer.allocUnsafeSlow(storedHead + mostStored)
    for await (const bytes of readInPlace(content, block.subarray(storedHead))) {
      hash.update(bytes)
      sum = adler32(bytes, sum)
      headOfStored(bytes.length).copy(block)
      await target.writeFile(block.subarray(0, storedHead + bytes.length))
    }
    const end = Buffer.concat([headOfStored(0, 1), Buffer.alloc(4)])
    end.writeUInt32BE(sum, storedHead)
    await target.writeFile(end)
    await target.sync()
  } finally {
    await target.close()
  }
}

function headOfStored(length: number, isLast: 0 | 1 = 0): Buffer {
  const head = Buffer.alloc(storedHead)
  head.writeUInt8(isLast)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(length ^ 0xffff, 3)
  return head
}

const headerOf = ({ size }: ContentFile) => Buffer.from(objectHeader('blob', size))

/** All of it, each part in the memory of the one before: what waits to be collected is memory as well. */
async function* readInPlace(
  { handle }: ContentFile,
  place: Buffer,
): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(place, 0, place.length, position)
    if (bytesRead === 0) return
    yield place.subarray(0, bytesRead)
    position += bytesRead
  }
}
