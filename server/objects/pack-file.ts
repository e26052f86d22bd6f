import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate } from 'node:zlib'
import { adler32 } from './adler32.ts'
import { objectHeader } from './object-id.ts'
import {
  beginStored,
  endStored,
  headOfStored,
  isDense,
  mostStored,
  sampleBytes,
  samplePlaces,
  storedHead,
} from './stored-blocks.ts'

/** A content that is in a file. */
export interface ContentFile {
  readonly handle: FileHandle
  readonly size: number
}

const level = 1

/**
 * Writes a content as an object of git stands in a file of its own.
 * @param packed the file, which is not there yet
 * @returns the id of the object
 */
export async function packFile(content: ContentFile, packed: string): Promise<string> {
  const hash = createHash('sha1')
  if (isDense(await samplesOf(content), level)) await storeInto(packed, content, hash)
  else await deflateInto(packed, content, hash)
  return hash.digest('hex')
}

async function samplesOf({ handle, size }: ContentFile): Promise<Buffer[]> {
  const samples: Buffer[] = []
  for (const position of samplePlaces(size)) {
    const sample = Buffer.alloc(sampleBytes)
    const { bytesRead } = await handle.read(sample, 0, sampleBytes, position)
    samples.push(sample.subarray(0, bytesRead))
  }
  return samples
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

async function storeInto(packed: string, content: ContentFile, hash: Hash): Promise<void> {
  const target = await open(packed, 'wx', 0o600)
  try {
    const header = headerOf(content)
    hash.update(header)
    let sum = adler32(header)
    await target.writeFile(beginStored(header))
    const block = Buffer.allocUnsafeSlow(storedHead + mostStored)
    for await (const bytes of readInPlace(content, block.subarray(storedHead))) {
      hash.update(bytes)
      sum = adler32(bytes, sum)
      headOfStored(bytes.length).copy(block)
      await target.writeFile(block.subarray(0, storedHead + bytes.length))
    }
    await target.writeFile(endStored(sum))
    await target.sync()
  } finally {
    await target.close()
  }
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
