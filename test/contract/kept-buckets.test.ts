import { expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { commitFilesByClient, noise } from '../helpers/xet-files.ts'

const bucket = { type: 'bucket', name: 'acme/results' } as const
const large = noise(300_000)
const contents = { 'data/w.bin': large, 'a.txt': Buffer.from('hello') }

const api = `/api/buckets/${bucket.name}`

async function upload(sandbox: Sandbox): Promise<void> {
  await as(sandbox).post(api, { private: true })
  await commitFilesByClient(sandbox.url, bucket, contents)
  // Clients upload no empty content.
  await batch(sandbox, { type: 'addFile', path: 'none', xetHash: '0'.repeat(64) })
}

const as = (sandbox: Sandbox) => callerAt(sandbox, 'hf_sandbox_alice')
const batch = (sandbox: Sandbox, operation: object) =>
  as(sandbox).postLines(`${api}/batch`, [operation])
const status = async (sandbox: Sandbox) => (await as(sandbox).get(api)).status

/** What clients see of the bucket. */
async function seen(sandbox: Sandbox) {
  const { body: facts } = await as(sandbox).get(api)
  const { body: tree } = await as(sandbox).get(`${api}/tree`)
  const same: Record<string, boolean> = {}
  for (const [path, content] of Object.entries(contents)) {
    const { headers } = await as(sandbox).get(`/buckets/${bucket.name}/resolve/${path}`)
    const { bytes } = await as(sandbox).get(String(headers['location']))
    same[path] = bytes.equals(content)
  }
  return { facts, tree, same }
}
const unchanged = { 'data/w.bin': true, 'a.txt': true }

test.each(['in memory', 'in a data folder'])(
  'a bucket %s belongs to snapshots and forks',
  async (where) => {
    const options = where === 'in memory' ? {} : { data: temporaryDirectory() }
    const sandbox = await startSandbox(options)
    await upload(sandbox)
    const before = await seen(sandbox)
    expect(before.same).toEqual(unchanged)
    const { name } = await sandbox.snapshot()
    const fork = await sandbox.fork()
    await sandbox.reset()
    expect(await status(sandbox)).toBe(404)
    expect(await seen(fork)).toEqual(before)
    await sandbox.restore(name)
    expect(await seen(sandbox)).toEqual(before)

    // What one of them changes is not in the other.
    await as(fork).delete(api)
    expect([await status(fork), await seen(sandbox)]).toEqual([404, before])
    await fork.close()
    await sandbox.close()
  },
)

test('a bucket is there after a restart', async () => {
  const data = temporaryDirectory()
  const first = await startSandbox({ data })
  await upload(first)
  const before = await seen(first)
  await first.close()
  const second = await startSandbox({ data })
  expect(await seen(second)).toEqual(before)
  await second.close()
})

test('an exported file starts a sandbox with the same bucket, and is a snapshot of it', async () => {
  const source = await startSandbox()
  await upload(source)
  const before = await seen(source)
  const file = await source.export()
  await source.control('POST', 'snapshots', { name: 'imported', fixtures: file })
  await source.control('POST', 'reset')
  await source.control('POST', 'snapshots/imported/restore')
  const target = await startSandbox({ fixtures: file })
  for (const sandbox of [source, target]) expect(await seen(sandbox)).toEqual(before)
  await target.reset()
  expect(await seen(target)).toEqual(before)
  const again = await target.export()
  expect(again.repos).toEqual(file.repos)
  await source.close()
  await target.close()
})

test('a data folder has the large files of fixtures and of an imported snapshot', async () => {
  const content = noise(200_000)
  const base64 = content.toString('base64')
  const weights = { 'w.bin': { base64, lfs: true } }
  const file = {
    users: [{ username: 'alice', tokens: [{ token: 'hf_sandbox_alice' }] }],
    repos: [
      { type: 'bucket' as const, name: 'alice/files', files: { 'w.bin': { base64 } } },
      { name: 'alice/weights', files: weights },
    ],
  }
  const data = temporaryDirectory()
  const paths = ['/buckets/alice/files/resolve/w.bin', '/alice/weights/resolve/main/w.bin']
  const read = async (sandbox: Sandbox, path: string) => {
    const { headers } = await as(sandbox).get(path)
    return (await as(sandbox).get(String(headers['location']))).bytes.equals(content)
  }
  const first = await startSandbox({ data, fixtures: file })
  for (const path of paths) expect(await read(first, path)).toBe(true)
  await first.reset()
  for (const path of paths) expect(await read(first, path)).toBe(true)
  await first.close()
  const second = await startSandbox({ data })
  for (const path of paths) expect(await read(second, path)).toBe(true)
  await second.close()

  const other = await startSandbox({ data: temporaryDirectory() })
  await other.control('POST', 'snapshots', { name: 'imported', fixtures: file })
  await other.control('POST', 'snapshots/imported/restore')
  for (const path of paths) expect(await read(other, path)).toBe(true)
  await other.close()
})

test('a comparison of a snapshot names the bucket and the files that differ', async () => {
  const sandbox = await startSandbox()
  await upload(sandbox)
  await sandbox.snapshot('before')
  await batch(sandbox, { type: 'deleteFile', path: 'a.txt' })
  const comparison = await sandbox.control<{ things: unknown[] }>(
    'GET',
    'snapshots/before/comparison',
  )
  expect(comparison.things).toContainEqual(
    expect.objectContaining({
      kind: 'repos',
      changed: { count: 1, things: [{ name: 'buckets/acme/results', members: ['files'] }] },
    }),
  )
  await sandbox.close()
})
