import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Child } from '../children.ts'
import { amount } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { memoryResult, stallResult, watched, watchingStalls } from '../pairs.ts'
import { commitBody, pathsOf } from '../repos.ts'
import type { Result, Row } from '../row.ts'
import { withFolder, withSandbox } from '../sandbox.ts'
import { git, withToken } from './git.ts'
import { addressOf, send } from './large-files.ts'

const wholeBytes = 100_000_000
const together = 4
const mostForAll = 64 * 1024 * 1024
/** A file outside of Git LFS may have 10 MiB, and is a text. */
const files = 12

/** By how much memory grows while 100 MB come and go as lines of a commit, with git, and four times at once by Git LFS. */
export const largeMemoryRow: Row = {
  name: 'large-memory',
  async measure() {
    const stalls: number[] = []
    const results: Result[] = []
    // Each in a sandbox of its own: memory that has grown once stays.
    for (const transfers of [inCommit, byGit, fourTimes]) {
      results.push(...(await withSandbox((sandbox) => transfers(sandbox, stalls))))
    }
    return [...results, stallResult('large transfers', stalls)]
  },
}

async function inCommit(sandbox: Child, stalls: number[]): Promise<Result[]> {
  const body = Buffer.from(commitBody(contents().map((bytes, file) => [`lines/${file}`, bytes])))
  const address = sandbox.url + pathsOf().commit
  const head = { authorization: `Bearer ${userToken}`, 'content-type': 'application/x-ndjson' }
  const grown = await grownBy(sandbox, stalls, () => send('POST', address, body, head))
  return [memoryResult('memory while 100 MB go up in a commit', [grown])]
}

function byGit(sandbox: Child, stalls: number[]): Promise<Result[]> {
  return withFolder(async (folder) => {
    const remote = `${withToken(sandbox)}${pathsOf().git}`
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    await git(folder, 'clone', '-q', remote, first)
    for (const [file, bytes] of contents().entries()) await writeFile(join(first, `${file}`), bytes)
    await git(first, 'add', '-A')
    await git(first, 'commit', '-qm', 'Push')
    const up = await grownBy(sandbox, stalls, () => git(first, 'push', '-q', 'origin', 'HEAD:main'))
    const down = await grownBy(sandbox, stalls, () => git(folder, 'clone', '-q', remote, second))
    return [
      memoryResult('memory while 100 MB go up with git', [up]),
      memoryResult('memory while 100 MB come down with git', [down]),
    ]
  })
}

async function fourTimes(sandbox: Child, stalls: number[]): Promise<Result[]> {
  const large = Array.from({ length: together }, () => {
    const bytes = randomBytes(amount(wholeBytes))
    return { bytes, oid: createHash('sha256').update(bytes).digest('hex') }
  })
  const grownWhile = async (
    operation: 'upload' | 'download',
    act: (address: string, bytes: Buffer) => Promise<void>,
  ) => {
    const transfers = await Promise.all(
      large.map(async ({ oid, bytes }) => {
        const address = await addressOf(sandbox, operation, oid, bytes)
        return () => act(address, bytes)
      }),
    )
    return grownBy(sandbox, stalls, async () => {
      await Promise.all(transfers.map((transfer) => transfer()))
    })
  }
  const up = await grownWhile('upload', (address, bytes) => send('PUT', address, bytes))
  const down = await grownWhile('download', (address) => send('GET', address))
  return [
    memoryResult('memory while 100 MB go up four times at once', [up], mostForAll),
    memoryResult('memory while 100 MB come down four times at once', [down], mostForAll),
  ]
}

async function grownBy(
  sandbox: Child,
  stalls: number[],
  act: () => Promise<void>,
): Promise<number> {
  const { bytes } = await watchingStalls(sandbox, stalls, () => watched(sandbox, act))
  return bytes
}

function contents(): Buffer[] {
  const size = Math.floor(amount(wholeBytes) / files)
  const text = () => randomBytes(Math.ceil(size * 0.75)).toString('base64')
  return Array.from({ length: files }, () => Buffer.from(text().slice(0, size)))
}
