import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { inBothOrders, memoryResult, speedResult, watched } from '../pairs.ts'
import type { Result, Row } from '../row.ts'
import { withFolder, withProgram, withSandbox } from '../sandbox.ts'

/** Uploads and downloads of 100 MB by Git LFS, against a bare program that hashes, writes and sends a file. */
export const largeFilesRow: Row = {
  name: 'large-files',
  measure: () =>
    withFolder((folder) =>
      withSandbox((sandbox) =>
        withProgram('bare-files', { file: join(folder, 'file') }, (bare) => measure(sandbox, bare)),
      ),
    ),
}

interface Round {
  upload: { ours: number; baseline: number }
  download: { ours: number; baseline: number }
  memory: { upload: number; download: number }
}

async function measure(sandbox: Child, bare: Child): Promise<Result[]> {
  const content = randomBytes(amount(100_000_000))
  const taken: Round[] = []
  // The first one is there to warm up.
  for (let round = 0; round <= rounds(5); round++) {
    content.writeUInt32LE(round)
    const oid = createHash('sha256').update(content).digest('hex')
    const [up, theirUp] = [await addressOf(sandbox, 'upload', oid, content), `${bare.url}/file`]
    const upload = await inBothOrders(round, {
      ours: () => watched(sandbox, () => send('PUT', up, content)),
      baseline: () => watched(bare, () => send('PUT', theirUp, content)),
    })
    const down = await addressOf(sandbox, 'download', oid, content)
    const download = await inBothOrders(round, {
      ours: () => watched(sandbox, () => send('GET', down)),
      baseline: () => watched(bare, () => send('GET', theirUp)),
    })
    if (round === 0) continue
    taken.push({
      upload: { ours: upload.ours.ms, baseline: upload.baseline.ms },
      download: { ours: download.ours.ms, baseline: download.baseline.ms },
      memory: { upload: upload.ours.bytes, download: download.ours.bytes },
    })
  }
  const size = `${content.length / 1_000_000} MB`
  return [
    speedResult(
      `upload of ${size} by Git LFS`,
      taken.map(({ upload }) => upload),
      { atLeast: 0.6 },
    ),
    speedResult(
      `download of ${size} by Git LFS`,
      taken.map(({ download }) => download),
      { atLeast: 0.8 },
    ),
    memoryResult(
      `memory while ${size} go up`,
      taken.map((round) => round.memory.upload),
    ),
    memoryResult(
      `memory while ${size} come down`,
      taken.map((round) => round.memory.download),
    ),
  ]
}

export async function addressOf(
  { url }: Child,
  operation: 'upload' | 'download',
  oid: string,
  { length }: Buffer,
): Promise<string> {
  const answer = await fetch(`${url}/datasets/acme/corpus.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${userToken}`,
      'content-type': 'application/vnd.git-lfs+json',
    },
    body: JSON.stringify({ operation, objects: [{ oid, size: length }] }),
  })
  const { objects } = (await answer.json()) as {
    objects: { actions?: Record<string, { href: string }> }[]
  }
  const href = objects[0]?.actions?.[operation]?.href
  if (href === undefined) throw new Error(`no address for the ${operation}: ${answer.status}`)
  return href
}

/** Sends a body, or takes one, and does nothing else with it. */
export function send(
  method: string,
  url: string,
  body?: Buffer,
  headers: Record<string, string> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      method,
      headers: { 'content-length': body?.length ?? 0, ...headers },
    })
    asking.once('error', reject)
    asking.once('response', (answer) => {
      answer.once('error', reject).once('end', resolve).resume()
      if (answer.statusCode !== 200) reject(new Error(`${method}: ${answer.statusCode}`))
    })
    asking.end(body)
  })
}
