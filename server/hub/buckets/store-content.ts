import { createHash } from 'node:crypto'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import { cutChunks } from '../xet/cut-chunks.ts'
import { hashText, loadedXetHashes } from '../xet/hashes.ts'
import type { ChunkedContent } from './bucket-files.ts'
import { emptyContent } from './find-content.ts'

/**
 * Stores a content as if a client had uploaded it, as one xorb. The hashes of Xet were loaded before.
 * @throws {StateError} when the disk refuses it
 */
export function storeContent(
  { lfs }: { readonly lfs: Pick<LfsContents, 'keepOwn'> },
  content: Uint8Array,
): ChunkedContent {
  if (content.length === 0) return emptyContent
  const hashes = loadedXetHashes()
  const hasher = hashes.chunks()
  const chunks: KeptChunk[] = []
  for (const bytes of cutChunks(content)) {
    const chunk = { hash: hashes.chunk(bytes), length: bytes.length }
    hasher.add(chunk.hash, chunk.length)
    chunks.push(chunk)
  }
  const xorb = hashText(hasher.xorbHash())
  const xetHash = hashText(hasher.fileHash())
  const oid = createHash('sha256').update(content).digest('hex')
  const { length: size } = content
  const terms = [{ xorb, start: 0, end: chunks.length, from: 0, bytes: size }]
  lfs.keepOwn(oid, { hash: xetHash, size, terms }, [{ hash: xorb, content, chunks }])
  return { oid, xetHash, size }
}
