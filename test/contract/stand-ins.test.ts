import { downloadFile } from '@huggingface/hub'
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { hashStandIn } from '../../server/hub/buckets/stand-in.ts'
import { storeContent } from '../../server/hub/buckets/store-content.ts'
import { loadXetHashes } from '../../server/hub/xet/hashes.ts'
import { callerAt } from '../helpers/cast.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const accessToken = 'hf_sandbox_alice'
const repo = { type: 'model', name: 'alice/weights' } as const
/** Sizes around the ends of its pieces, and a usual one. */
const sizes = Object.fromEntries(
  [5, 8191, 8192, 8193, 16_385, 131_072, 139_264, 139_265, 200_000, 5_000_001].map((size) => [
    `${size}.bin`,
    size,
  ]),
)
const original = 'c0'.repeat(32)
const huge = 80_000_000_000

function fixtures(): FixturesFile {
  const standIns = Object.entries(sizes).map(([path, size]) => {
    const standIn = { for: original, size, sha256: hashStandIn({ of: original, size }) }
    return [path, { standIn }] as const
  })
  const unread = { for: 'ab'.repeat(20), size: huge, sha256: 'ab'.repeat(32) }
  return {
    users: [{ username: 'alice', tokens: [{ token: accessToken }] }],
    repos: [
      {
        name: repo.name,
        files: { ...Object.fromEntries(standIns), 'huge.bin': { standIn: unread } },
      },
    ],
  }
}

async function download(hubUrl: string, path: string, xet: boolean): Promise<Buffer> {
  const blob = await downloadFile({ repo, accessToken, hubUrl, path, xet })
  return Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer())
}

test('a stand-in has its size, and a content with the hashes that clients compute', async () => {
  const sandbox = await startTestSandbox({ fixtures: fixtures() })
  await loadXetHashes()
  const { body } = await callerAt(sandbox, accessToken).get<
    { path: string; size: number; xetHash?: string; lfs?: { oid: string; size: number } }[]
  >(`/api/models/${repo.name}/tree/main`)
  const entries = new Map(body.map((entry) => [entry.path, entry]))
  expect(entries.get('huge.bin')).toMatchObject({ size: huge, lfs: { size: huge } })
  for (const [path, size] of Object.entries(sizes)) {
    const content = await download(sandbox.url, path, false)
    expect(content).toHaveLength(size)
    expect((await download(sandbox.url, path, true)).equals(content)).toBe(true)
    const oid = createHash('sha256').update(content).digest('hex')
    expect(entries.get(path)).toMatchObject({ size, lfs: { oid, size } })
    // As if a client had uploaded it.
    expect(entries.get(path)?.xetHash).toBe(
      storeContent({ lfs: { keepOwn() {} } }, content).xetHash,
    )
  }
})

test('a stand-in can be read in parts, and says in its first line that it is one', async () => {
  const { url } = await startTestSandbox({ fixtures: fixtures() })
  const read = async (range: string) => {
    const headers = { authorization: `Bearer ${accessToken}`, range: `bytes=${range}` }
    const response = await fetch(`${url}/${repo.name}/resolve/main/huge.bin`, { headers })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const first = await read('0-56')
  expect(first.bytes.toString()).toBe('hub-sandbox: this is a stand-in, not the file of the Hub\n')
  const last = await read(`${huge - 70_000}-${huge - 1}`)
  expect(last.status).toBe(206)
  expect(last.bytes).toHaveLength(70_000)
})

test('stand-ins of different files differ', () => {
  const hashes = ['aa', 'bb'].map((of) => hashStandIn({ of: of.repeat(32), size: 100_000 }))
  expect(new Set(hashes).size).toBe(2)
})

test('an export has stand-ins again, and a copy of the repo keeps them', async () => {
  const sandbox = await startTestSandbox({ fixtures: fixtures() })
  const alice = callerAt(sandbox, accessToken)
  await alice.post(`/api/models/${repo.name}/duplicate`, { repository: 'alice/copy' })
  const { repos = [] } = await sandbox.export()
  const files = fixtures().repos?.[0]?.files
  expect(repos.map(({ name }) => name)).toEqual([repo.name, 'alice/copy'])
  for (const exported of repos) {
    expect(exported.files).toEqual(files)
    expect(exported.leftOut?.join() ?? '').not.toContain('Git LFS')
  }
})

test('a fixtures file with many stand-ins loads at once, and takes little room', async () => {
  const standIns = Array.from({ length: 3000 }, (_, index) => {
    const of = String(index).padStart(64, '0')
    return [`${index}.bin`, { standIn: { for: of, size: 300_000_000, sha256: of } }] as const
  })
  const data = temporaryDirectory()
  const file = {
    users: [{ username: 'alice' }],
    repos: [{ name: repo.name, files: Object.fromEntries(standIns) }],
  }
  await startTestSandbox({ fixtures: file, data, ephemeral: false })
  const files = readdirSync(data, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  expect(bytes).toBeLessThan(150_000_000)
  const more = { ...file, repos: [...file.repos, { ...file.repos[0], name: 'alice/more' }] }
  await expect(startTestSandbox({ fixtures: more })).rejects.toThrow(
    'repos: its stand-ins have 1800 GB together, and may have 1000 GB',
  )
})

test.each([
  [{ base64: '', standIn: { for: original, size: 1, sha256: original } }, /requires exactly one/],
  [{ standIn: { for: original, size: 0, sha256: original } }, /size: must be .*1/],
  [{ standIn: { for: 'x', size: 1, sha256: original } }, /for: has an invalid format/],
] as const)('a wrong stand-in is refused: %j', async (file, message) => {
  const wrong = { ...fixtures(), repos: [{ name: repo.name, files: { w: file } }] }
  await expect(startTestSandbox({ fixtures: wrong })).rejects.toThrow(message)
})

test('a bucket has no stand-ins', async () => {
  const standIn = { for: original, size: 1, sha256: original }
  const wrong = {
    ...fixtures(),
    repos: [{ type: 'bucket', name: 'alice/b', files: { w: { text: '', standIn } } }] as const,
  }
  await expect(startTestSandbox({ fixtures: wrong })).rejects.toThrow('only files of git repos')
})
