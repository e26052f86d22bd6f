import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { contentOf, lfsLine, uploadContent } from '../helpers/large-files.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const repo = 'alice/tiny-sentiment'
const bytes = Buffer.alloc(1_500_000, 'a content that is not small ')
const { oid } = contentOf(bytes)

async function upload(sandbox: Sandbox) {
  const alice = callerAt(sandbox, 'hf_sandbox_alice')
  await uploadContent(alice, `/${repo}`, bytes)
  const committed = await alice.postLines(`/api/models/${repo}/commit/main`, [
    { key: 'header', value: { summary: 'Upload' } },
    lfsLine('w.bin', contentOf(bytes)),
  ])
  expect(committed.status).toBe(200)
}

async function isThere({ url }: Sandbox) {
  const file = await fetch(`${url}/${repo}/resolve/main/w.bin`)
  return file.ok && Buffer.from(await file.arrayBuffer()).equals(bytes)
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : []

test('large files survive the sandbox, and a reset only in a snapshot', async () => {
  const data = temporaryDirectory()
  const contents = () => filesIn(join(data, 'repos', 'lfs'))
  let sandbox = await startSandbox({ data })
  await upload(sandbox)
  await sandbox.snapshot('with')
  await sandbox.close()
  expect(contents()).toEqual([oid])

  sandbox = await startSandbox({ data })
  expect(await isThere(sandbox)).toBe(true)
  const fork = await sandbox.fork()
  await sandbox.reset()
  expect([await isThere(sandbox), await isThere(fork)]).toEqual([false, true])
  await fork.close()
  await sandbox.close()

  // The snapshot alone names it.
  sandbox = await startSandbox({ data })
  await sandbox.restore('with')
  expect(await isThere(sandbox)).toBe(true)
  await sandbox.reset()
  await sandbox.control('DELETE', 'snapshots/with')
  await sandbox.close()

  sandbox = await startSandbox({ data })
  await expect.poll(contents).toEqual([])
  await sandbox.close()
})

test('large files in memory belong to a snapshot and a fork as well', async () => {
  const sandbox = await startSandbox()
  await upload(sandbox)
  const { name } = await sandbox.snapshot()
  const fork = await sandbox.fork()
  await sandbox.reset()
  expect([await isThere(sandbox), await isThere(fork)]).toEqual([false, true])
  await sandbox.restore(name)
  expect(await isThere(sandbox)).toBe(true)
  await sandbox.close()
  expect(await isThere(fork)).toBe(true)
  await fork.close()
})

test.each([
  [
    'is missing',
    (file: string) => rmSync(file),
    /cannot read .*lfs.*: it does not exist \(ENOENT\)\.$/,
  ],
  [
    'ends too early',
    (file: string) => truncateSync(file, 100),
    /lfs.* is damaged: it ends after 100 bytes\.$/,
  ],
])(
  'a large file whose content %s is refused without waiting for the rest',
  async (_name, harm, text) => {
    const data = temporaryDirectory()
    let sandbox = await startSandbox({ data })
    await upload(sandbox)
    // All of it is on the disk then.
    await sandbox.close()
    sandbox = await startSandbox({ data })
    harm(join(data, 'repos/lfs', oid.slice(0, 2), oid.slice(2, 4), oid))
    for (const headers of [{}, { range: 'bytes=200-299' }]) {
      const file = await fetch(`${sandbox.url}/${repo}/resolve/main/w.bin`, { headers })
      expect(file.status).toBe(500)
      expect(file.headers.get('etag')).toBeNull()
      expect(file.headers.get('content-range')).toBeNull()
      expect(await file.json()).toMatchObject({ message: expect.stringMatching(text) })
    }
    await sandbox.close()
  },
)
