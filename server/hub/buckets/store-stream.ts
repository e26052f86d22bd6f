import { createHash } from 'node:crypto'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import type { XetTerm } from '../../store/objects/xet-contents.ts'
import { chunkEnd } from '../xet/cut-chunks.ts'
import { hashText, loadXetHashes } from '../xet/hashes.ts'
import { mostChunkBytes } from '../xet/xorb.ts'
import type { ChunkedContent } from './bucket-files.ts'
import { emptyContent } from './find-content.ts'

/** Least bytes of a xorb, unless it is the last one: about so much of a content is in memory at a time. */
const leastXorbBytes = 16 * 1024 * 1024

/**
 * Stores a content of any size as if a client had uploaded it, xorb by xorb.
 * @throws {StateError} when the disk refuses it
 */
export async function storeStream(
  { lfs }: { readonly lfs: Pick<LfsContents, 'receiveXorb' | 'keepXetFile'> },
  content: AsyncIterable<Uint8Array>,
): Promise<ChunkedContent> {
  const hashes = await loadXetHashes()
  const fileHasher = hashes.chunks()
  const sha256 = createHash('sha256')
  const terms: XetTerm[] = []
  let size = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0

  /**
   * Keeps the whole chunks of some bytes.
   * @returns the rest, which may be part of a longer chunk
   */
  async function keepXorb(all: Buffer, isEnd: boolean): Promise<Buffer> {
    const xorbHasher = hashes.chunks()
    const chunks: KeptChunk[] = []
    const leastLeft = isEnd ? 1 : mostChunkBytes
    let end = 0
    while (all.length - end >= leastLeft) {
      const start = end
      end = chunkEnd(all, start)
      const chunk = { hash: hashes.chunk(all.subarray(start, end)), length: end - start }
      xorbHasher.add(chunk.hash, chunk.length)
      fileHasher.add(chunk.hash, chunk.length)
      chunks.push(chunk)
    }
    const bytes = all.subarray(0, end)
    const xorb = hashText(xorbHasher.xorbHash())
    const upload = lfs.receiveXorb(xorb)
    try {
      await upload.write(bytes)
      await upload.finish(chunks)
    } finally {
      await upload.close()
    }
    terms.push({ xorb, start: 0, end: chunks.length, from: 0, bytes: end })
    return all.subarray(end)
  }

  for await (const bytes of content) {
    sha256.update(bytes)
    size += bytes.length
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes < leastXorbBytes) continue
    const rest = await keepXorb(Buffer.concat(waiting), false)
    waiting = [rest]
    waitingBytes = rest.length
  }
  if (size === 0) return emptyContent
  if (waitingBytes > 0) await keepXorb(Buffer.concat(waiting), true)
  const xetHash = hashText(fileHasher.fileHash())
  const oid = sha256.digest('hex')
  await lfs.keepXetFile(oid, { hash: xetHash, size, terms })
  return { oid, xetHash, size }
}
