import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { inBothOrders, type Pair, speedResult, watched } from '../pairs.ts'
import { dataset } from '../repos.ts'
import type { Result, Row } from '../row.ts'
import { withFolder, withProgram, withSandbox } from '../sandbox.ts'

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
    const up = await urlOf(sandbox, 'upload', oid, content)
    const upload = await inBothOrders(round, {
      ours: () => watched(sandbox, () => send('PUT', up, content)),
      baseline: () => watched(bare, () => send('PUT', theirs, content)),
    })
    const down = await urlOf(sandbox, 'download', oid, content)
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
    memoryResult(`memory during the upload of ${size}`, memory.up),
    memoryResult(`memory during the download of ${size}`, memory.down),
  ]
}

/** Memory that a transfer took, compared with the limit. */
function memoryResult(what: string, bytes: number): Result {
  const mebibytes = (count: number) => `+${Math.round(count / 2 ** 20)} MiB`
  return {
    what,
    ours: mebibytes(bytes),
    baseline: mebibytes(mostMemory),
    ratio: bytes / mostMemory,
    goal: { atMost: 1 },
  }
}

/** Requests the URL for a transfer (Git LFS batch API). */
async function urlOf(
  { url }: Child,
  operation: 'upload' | 'download',
  oid: string,
  { length }: Buffer,
): Promise<string> {
  const response = await fetch(`${url}${dataset.git}/info/lfs/objects/batch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${userToken}`,
      'content-type': 'application/vnd.git-lfs+json',
    },
    body: JSON.stringify({ operation, objects: [{ oid, size: length }] }),
  })
  const { objects } = (await response.json()) as {
    objects: { actions?: Record<string, { href: string }> }[]
  }
  const href = objects[0]?.actions?.[operation]?.href
  if (href === undefined) throw new Error(`no URL for the ${operation}: ${response.status}`)
  return href
}

/** Sends a body, or reads one and discards it. */
function send(method: string, url: string, body?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers: { 'content-length': body?.length ?? 0 } })
    sending.once('error', reject)
    sending.once('response', (response) => {
      response.once('error', reject).once('end', resolve).resume()
      if (response.statusCode !== 200) reject(new Error(`${method}: ${response.statusCode}`))
    })
    sending.end(body)
  })
}
