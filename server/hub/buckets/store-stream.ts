import { createHash } from 'node:crypto'
import type { KeptChunk } from '../../objects/chunk-table.ts'
import type { LfsContents } from '../../objects/lfs-contents.ts'
import type { XetTerm } from '../../objects/xet-contents.ts'
import { hashText, loadXetHashes } from '../xet/hashes.ts'
import type { ChunkedContent } from './bucket-files.ts'
import { emptyContent } from './find-content.ts'
import { chunkBytes } from './store-content.ts'

/** Bytes of a xorb: so much of a content is in memory at a time. */
const xorbBytes = 256 * chunkBytes

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

  async function keepXorb(bytes: Buffer): Promise<void> {
    const xorbHasher = hashes.chunks()
    const chunks: KeptChunk[] = []
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      const part = bytes.subarray(start, start + chunkBytes)
      const chunk = { hash: hashes.chunk(part), length: part.length }
      xorbHasher.add(chunk.hash, chunk.length)
      fileHasher.add(chunk.hash, chunk.length)
      chunks.push(chunk)
    }
    const xorb = hashText(xorbHasher.xorbHash())
    const upload = lfs.receiveXorb(xorb)
    try {
      await upload.write(bytes)
      await upload.finish(chunks)
    } finally {
      await upload.close()
    }
    terms.push({ xorb, start: 0, end: chunks.length, from: 0, bytes: bytes.length })
  }

  for await (const bytes of content) {
    sha256.update(bytes)
    size += bytes.length
    waiting.push(bytes)
    waitingBytes += bytes.length
    while (waitingBytes >= xorbBytes) {
      const all = Buffer.concat(waiting)
      await keepXorb(all.subarray(0, xorbBytes))
      waiting = [all.subarray(xorbBytes)]
      waitingBytes -= xorbBytes
    }
  }
  if (size === 0) return emptyContent
  if (waitingBytes > 0) await keepXorb(Buffer.concat(waiting))
  const xetHash = hashText(fileHasher.fileHash())
  const oid = sha256.digest('hex')
  await lfs.keepXetFile(oid, { hash: xetHash, size, terms })
  return { oid, xetHash, size }
}
