import { commit, createRepo } from '@huggingface/hub'
import { expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { noise } from '../helpers/xet-files.ts'

const accessToken = 'hf_sandbox_alice'
const bucket = { type: 'bucket', name: 'acme/results' } as const
const large = noise(300_000)
const contents = { 'data/w.bin': large, 'a.txt': Buffer.from('hello') }

async function upload(sandbox: Sandbox): Promise<void> {
  const shared = { repo: bucket, accessToken, hubUrl: sandbox.url }
  await createRepo({ ...shared, private: true })
  const operations = Object.entries(contents).map(([path, content]) => ({
    operation: 'addOrUpdate' as const,
    path,
    content: new Blob([Uint8Array.from(content)]),
  }))
  await commit({ ...shared, title: '', operations })
  // Clients upload no empty content.
  await batch(sandbox, { type: 'addFile', path: 'none', xetHash: '0'.repeat(64) })
}

interface Init {
  method?: string
  headers?: Record<string, string>
  body?: string
}
const ask = ({ url }: Sandbox, path: string, init: Init = {}) =>
  fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${accessToken}`, ...init.headers },
  })
const control = async (sandbox: Sandbox, method: string, path: string, json?: unknown) => {
  const answer = await ask(sandbox, `/_sandbox/api/${path}`, {
    method,
    ...(json !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  })
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error(JSON.stringify(body))
  return body as FixturesFile & { things: unknown[] }
}
const batch = (sandbox: Sandbox, operation: object) =>
  ask(sandbox, `/api/buckets/${bucket.name}/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify(operation),
  })
const status = async (sandbox: Sandbox) =>
  (await ask(sandbox, `/api/buckets/${bucket.name}`)).status

/** What clients see of the bucket. */
async function seen(sandbox: Sandbox) {
  const facts = await (await ask(sandbox, `/api/buckets/${bucket.name}`)).json()
  const tree = await (await ask(sandbox, `/api/buckets/${bucket.name}/tree`)).json()
  const same: Record<string, boolean> = {}
  for (const [path, content] of Object.entries(contents)) {
    const file = await ask(sandbox, `/buckets/${bucket.name}/resolve/${path}`)
    same[path] = Buffer.from(await file.arrayBuffer()).equals(content)
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
    await ask(fork, `/api/buckets/${bucket.name}`, { method: 'DELETE' })
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
  const file = await control(source, 'GET', 'export')
  await control(source, 'POST', 'snapshots', { name: 'imported', fixtures: file })
  await control(source, 'POST', 'reset')
  await control(source, 'POST', 'snapshots/imported/restore')
  const target = await startSandbox({ fixtures: file })
  for (const sandbox of [source, target]) expect(await seen(sandbox)).toEqual(before)
  await target.reset()
  expect(await seen(target)).toEqual(before)
  const again = await control(target, 'GET', 'export')
  expect(again.repos).toEqual(file.repos)
  await source.close()
  await target.close()
})

test('a comparison of a snapshot names the bucket and the files that differ', async () => {
  const sandbox = await startSandbox()
  await upload(sandbox)
  await sandbox.snapshot('before')
  await batch(sandbox, { type: 'deleteFile', path: 'a.txt' })
  const comparison = await control(sandbox, 'GET', 'snapshots/before/comparison')
  expect(comparison.things).toContainEqual(
    expect.objectContaining({
      kind: 'repos',
      changed: { count: 1, things: [{ name: 'buckets/acme/results', members: ['files'] }] },
    }),
  )
  await sandbox.close()
})
