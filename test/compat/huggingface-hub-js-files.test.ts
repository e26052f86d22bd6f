import {
  commit,
  countCommits,
  createBranch,
  createRepo,
  deleteBranch,
  deleteFiles,
  downloadFile,
  downloadFileToCacheDir,
  fileDownloadInfo,
  fileExists,
  listCommits,
  listFiles,
  pathsInfo,
  uploadFile,
  uploadFiles,
} from '@huggingface/hub'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

let sandbox: Sandbox
let at: { hubUrl: string; accessToken: string; repo: { type: 'model'; name: string } }
beforeAll(async () => {
  sandbox = await startSandbox()
  const repo = { type: 'model', name: 'alice/files' } as const
  at = { hubUrl: sandbox.url, accessToken: 'hf_sandbox_alice', repo }
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const file = (path: string, text: string) => ({ path, content: new Blob([text]) })
const paths = async (options: object = {}) =>
  (await all(listFiles({ ...at, recursive: true, ...options })))
    .filter(({ type }) => type === 'file')
    .map(({ path }) => path)
const read = async (path: string, options: object = {}) =>
  (await downloadFile({ ...at, path, ...options }))?.text()

describe('files by @huggingface/hub', () => {
  test('go up, are listed, and come down', async () => {
    await createRepo(at)
    await uploadFile({ ...at, file: file('one.txt', 'one') })
    const names = ['dir/a.txt', 'dir/deep/b.txt', 'sub/with space.txt']
    await uploadFiles({ ...at, files: names.map((name) => file(name, name)) })
    expect(await paths()).toEqual(['.gitattributes', ...names.slice(0, 2), 'one.txt', names[2]])
    expect(await paths({ path: 'dir' })).toEqual(names.slice(0, 2))
    for (const name of names) expect(await read(name)).toBe(name)
    const part = await downloadFile({ ...at, path: 'one.txt' })
    expect(await part?.slice(1, 3).text()).toBe('ne')
    expect(await fileDownloadInfo({ ...at, path: 'one.txt' })).toMatchObject({ size: 3 })
    expect(await fileDownloadInfo({ ...at, path: 'none' })).toBeNull()
    expect(await fileExists({ ...at, path: 'one.txt' })).toBe(true)
    expect(await fileExists({ ...at, path: 'none' })).toBe(false)
    const [info] = await pathsInfo({ ...at, paths: ['dir', 'none'], expand: true })
    expect(info).toMatchObject({
      path: 'dir',
      type: 'directory',
      lastCommit: { title: 'Add 3 files' },
    })
  })

  test('go by Git LFS when they are large, in one piece and in parts', async () => {
    await createRepo(at)
    const large = new Uint8Array(9 * 1024 * 1024).map((_, index) => index % 251)
    const files = [
      { path: 'large.bin', content: new Blob([large]) },
      file('test.lfs.txt', 'small'),
      file('plain.txt', 'plain'),
    ]
    await uploadFiles({ ...at, files })
    const [about] = await pathsInfo({ ...at, paths: ['large.bin'] })
    expect(about).toMatchObject({ size: large.length, lfs: { size: large.length } })
    const down = await downloadFile({ ...at, path: 'large.bin' })
    expect(Buffer.from((await down?.arrayBuffer()) ?? new ArrayBuffer()).equals(large)).toBe(true)
    const part = await down?.slice(8_500_000, 8_500_010).arrayBuffer()
    expect(new Uint8Array(part ?? [])).toEqual(large.subarray(8_500_000, 8_500_010))
    expect(await read('test.lfs.txt')).toBe('small')
    expect(await read('test.lfs.txt', { raw: true })).toMatch(
      /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize 5\n$/,
    )
  })

  test('are kept in the cache under their commit', async () => {
    await createRepo(at)
    await uploadFile({ ...at, file: file('one.txt', 'one') })
    const cacheDir = temporaryDirectory()
    const path = await downloadFileToCacheDir({ ...at, path: 'one.txt', cacheDir })
    expect(path).toMatch(/models--alice--files.snapshots.[0-9a-f]{40}.one\.txt$/)
  })

  test('are deleted, and their commits listed', async () => {
    await createRepo(at)
    await uploadFiles({ ...at, files: [file('a', 'a'), file('b', 'b')], commitTitle: 'Both' })
    await deleteFiles({ ...at, paths: ['a'] })
    expect(await paths()).toEqual(['.gitattributes', 'b'])
    const commits = await all(listCommits({ ...at, batchSize: 2 }))
    expect(commits.slice(1).map(({ title }) => title)).toEqual(['Both', 'initial commit'])
    expect(await countCommits({ ...at, revision: 'main' })).toBe(3)
    const parentCommit = commits[1]?.oid ?? ''
    const outdated = commit({
      ...at,
      title: 'Late',
      parentCommit,
      operations: [{ operation: 'addOrUpdate', ...file('c', 'c') }],
    })
    await expect(outdated).rejects.toMatchObject({ statusCode: 412 })
  })

  test('live on branches and in pull requests', async () => {
    await createRepo(at)
    await createBranch({ ...at, branch: 'feature/x' })
    await uploadFile({ ...at, file: file('x', 'x'), branch: 'feature/x' })
    expect(await read('x', { revision: 'feature/x' })).toBe('x')
    expect(await read('x').catch(() => undefined)).toBeUndefined()
    await deleteBranch({ ...at, branch: 'feature/x' })
    const made = await uploadFile({ ...at, file: file('p', 'p'), isPullRequest: true })
    expect(made?.pullRequestUrl).toBe(`${sandbox.url}/alice/files/discussions/1`)
    expect(await paths({ revision: 'refs/pr/1' })).toEqual(['.gitattributes', 'p'])
    expect(await countCommits({ ...at, revision: 'refs/pr/1' })).toBe(2)
  })
})
