import { createHash, randomBytes } from 'node:crypto'
import { type SentByXet, uploadByXet } from '../../helpers/xet-files.ts'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { inBothOrders, type Pair, speedResult, watched } from '../pairs.ts'
import { dataset } from '../repos.ts'
import type { Result, Row } from '../row.ts'
import { withSandbox } from '../sandbox.ts'
import { lfsUrl, memoryResult, send } from '../transfers.ts'

const mostMemory = 48 * 2 ** 20
const authorization = `Bearer ${userToken}`

/**
 * Uploads and downloads of 100 MB by Xet, beside Git LFS in the same sandbox. The Hub's JavaScript client prepares the
 * bodies in another sandbox, because its own work takes much longer than the storage's.
 */
export const xetRow: Row = {
  name: 'xet',
  measure: () => withSandbox((sandbox) => withSandbox((other) => measure(sandbox, other))),
}

async function measure(sandbox: Child, other: Child): Promise<Result[]> {
  const uploads: Pair[] = []
  const downloads: Pair[] = []
  const memory = { up: 0, down: 0 }
  const length = amount(100_000_000)
  for (let round = 0; round <= rounds(4); round++) {
    const content = randomBytes(length)
    const path = `${round}.bin`
    const sent = await uploadByXet(other.url, content, {
      type: 'dataset',
      name: 'acme/corpus',
      path,
      accessToken: userToken,
      isNew: false,
    })
    const lfsContent = randomBytes(length)
    const oid = oidOf(lfsContent)
    const up = await lfsUrl(sandbox, 'upload', oid, lfsContent)
    const upload = await inBothOrders(round, {
      ours: () => watched(sandbox, () => uploadXorbs(sandbox, sent)),
      baseline: () => watched(sandbox, () => send('PUT', up, { body: lfsContent })),
    })
    await commitPointer(sandbox, path, content)
    const down = await lfsUrl(sandbox, 'download', oid, lfsContent)
    const download = await inBothOrders(round, {
      ours: () => watched(sandbox, () => downloadXorbs(sandbox, path)),
      baseline: () => watched(sandbox, () => send('GET', down)),
    })
    // The first round is a warm-up.
    if (round === 0) continue
    uploads.push({ ours: upload.ours.ms, baseline: upload.baseline.ms })
    downloads.push({ ours: download.ours.ms, baseline: download.baseline.ms })
    memory.up = Math.max(memory.up, upload.ours.bytes)
    memory.down = Math.max(memory.down, download.ours.bytes)
  }
  const size = `${length / 1_000_000} MB`
  return [
    speedResult(`upload of ${size} by Xet, beside Git LFS`, uploads, { atLeast: 0.3 }),
    speedResult(`download of ${size} by Xet, beside Git LFS`, downloads, { atLeast: 0.5 }),
    memoryResult(`memory during the upload of ${size} by Xet`, memory.up, mostMemory),
    memoryResult(`memory during the download of ${size} by Xet`, memory.down, mostMemory),
  ]
}

async function uploadXorbs(sandbox: Child, { xorbs, shard }: SentByXet): Promise<void> {
  const { casUrl, headers } = await accessTo(sandbox, 'write')
  for (const { hash, body } of xorbs) {
    await send('POST', `${casUrl}/v1/xorbs/default/${hash}`, { body, headers })
  }
  await send('POST', `${casUrl}/v1/shards`, { body: shard, headers })
}

interface Reconstruction {
  readonly fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
}

async function downloadXorbs(sandbox: Child, path: string): Promise<void> {
  const { casUrl, headers } = await accessTo(sandbox, 'read')
  const file = await fetch(`${sandbox.url}${dataset.files}/resolve/main/${path}`, {
    method: 'HEAD',
    headers: { authorization },
    redirect: 'manual',
  })
  const hash = file.headers.get('x-xet-hash')
  const response = await fetch(`${casUrl}/v1/reconstructions/${hash}`, { headers })
  const { fetch_info: parts } = (await response.json()) as Reconstruction
  for (const { url, url_range: range } of Object.values(parts).flat()) {
    await send('GET', url, { headers: { range: `bytes=${range.start}-${range.end}` } })
  }
}

async function accessTo({ url }: Child, right: 'read' | 'write') {
  const path = `/api/datasets/acme/corpus/xet-${right}-token/main`
  const response = await fetch(url + path, { headers: { authorization } })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  const { casUrl, accessToken } = (await response.json()) as { casUrl: string; accessToken: string }
  return { casUrl, headers: { authorization: `Bearer ${accessToken}` } }
}

async function commitPointer({ url }: Child, path: string, content: Buffer): Promise<void> {
  const file = { path, algo: 'sha256', oid: oidOf(content), size: content.length }
  const lines = [
    { key: 'header', value: { summary: 'Add a file' } },
    { key: 'lfsFile', value: file },
  ]
  const response = await fetch(url + dataset.commit, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  if (!response.ok) throw new Error(`${dataset.commit}: ${response.status}`)
  await response.arrayBuffer()
}

function oidOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
