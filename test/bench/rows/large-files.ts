import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { inBothOrders, type Pair, speedResult, watched } from '../pairs.ts'
import type { Result, Row } from '../row.ts'
import { withFolder, withProgram, withSandbox } from '../sandbox.ts'
import { lfsUrl, memoryResult, send } from '../transfers.ts'

const mostMemory = 32 * 2 ** 20

/** Uploads and downloads of 100 MB by Git LFS, beside a bare program that hashes, writes and sends a file. */
export const largeFilesRow: Row = {
  name: 'large-files',
  measure: () =>
    withFolder((folder) =>
      withSandbox((sandbox) =>
        withProgram('bare-files', { file: join(folder, 'file') }, (bare) => measure(sandbox, bare)),
      ),
    ),
}

async function measure(sandbox: Child, bare: Child): Promise<Result[]> {
  const content = randomBytes(amount(100_000_000))
  const theirs = `${bare.url}/file`
  const uploads: Pair[] = []
  const downloads: Pair[] = []
  const memory = { up: 0, down: 0 }
  for (let round = 0; round <= rounds(5); round++) {
    content.writeUInt32LE(round)
    const oid = createHash('sha256').update(content).digest('hex')
    const up = await lfsUrl(sandbox, 'upload', oid, content)
    const upload = await inBothOrders(round, {
      ours: () => watched(sandbox, () => send('PUT', up, { body: content })),
      baseline: () => watched(bare, () => send('PUT', theirs, { body: content })),
    })
    const down = await lfsUrl(sandbox, 'download', oid, content)
    const download = await inBothOrders(round, {
      ours: () => watched(sandbox, () => send('GET', down)),
      baseline: () => watched(bare, () => send('GET', theirs)),
    })
    // The first round is a warm-up.
    if (round === 0) continue
    uploads.push({ ours: upload.ours.ms, baseline: upload.baseline.ms })
    downloads.push({ ours: download.ours.ms, baseline: download.baseline.ms })
    memory.up = Math.max(memory.up, upload.ours.bytes)
    memory.down = Math.max(memory.down, download.ours.bytes)
  }
  const size = `${content.length / 1_000_000} MB`
  return [
    speedResult(`upload of ${size} by Git LFS`, uploads, { atLeast: 0.6 }),
    speedResult(`download of ${size} by Git LFS`, downloads, { atLeast: 0.8 }),
    memoryResult(`memory during the upload of ${size}`, memory.up, mostMemory),
    memoryResult(`memory during the download of ${size}`, memory.down, mostMemory),
  ]
}
