import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { addressFor, cloneRepo, gitIn, hasGit, refusalOf } from '../helpers/git-client.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(async () => {
  await sandbox.close()
})

/** Origins of the clones of a test. */
const origins = new Set<string>()

const clone: typeof cloneRepo = async (from, ...options) => {
  const made = await cloneRepo(from, ...options)
  const { origin, pathname } = new URL(from)
  origins.add(addressFor('alice', origin, pathname))
  return made
}

afterEach(async () => {
  for (const origin of origins) {
    const { git } = await cloneRepo(origin, '--mirror')
    await git('fsck', '--full', '--strict')
  }
  origins.clear()
})

const api = async <T>(path: string): Promise<T> =>
  (await fetch(sandbox.url + path, {
    headers: { authorization: 'Bearer hf_sandbox_alice' },
  }).then((answer) => answer.json())) as T

describe.skipIf(!hasGit)('git clone and fetch', () => {
  test.each([0, 1, 2])('have what the API has, in protocol %i', async (version) => {
    const { git } = await clone(
      `${sandbox.url}/datasets/acme/corpus`,
      '-c',
      `protocol.version=${version}`,
    )
    const commits = await api<{ id: string }[]>('/api/datasets/acme/corpus/commits/main')
    expect((await git('log', '--format=%H')).split('\n')).toEqual(commits.map(({ id }) => id))
    const files = await api<{ path: string; oid: string }[]>(
      '/api/datasets/acme/corpus/tree/main?recursive=true',
    )
    const listed = (
      await git('ls-tree', '-r', '-t', '--format=%(objectname) %(path)', 'HEAD')
    ).split('\n')
    expect(listed.toSorted()).toEqual(files.map(({ oid, path }) => `${oid} ${path}`).toSorted())
    await git('fsck', '--full', '--strict')
  })

  test('take the refs of pull requests, by name and by id', async () => {
    const { pullRequests } = await api<{ pullRequests: { ref: string; targetCommit: string }[] }>(
      '/api/datasets/acme/corpus/refs?include_prs=1',
    )
    const [pull] = pullRequests
    const { git } = await clone(`${sandbox.url}/datasets/acme/corpus.git`)
    await git('fetch', '-q', 'origin', pull?.ref ?? '')
    expect(await git('rev-parse', 'FETCH_HEAD')).toBe(pull?.targetCommit)
    for (const version of [0, 2]) {
      await git(
        '-c',
        `protocol.version=${version}`,
        'fetch',
        '-q',
        'origin',
        pull?.targetCommit ?? '',
      )
    }
  })

  test.each([0, 2])('may be shallow, and whole later, in protocol %i', async (version) => {
    const { git } = await clone(
      `${sandbox.url}/datasets/acme/corpus`,
      '-c',
      `protocol.version=${version}`,
      '--depth',
      '1',
    )
    expect(await git('rev-list', '--count', 'HEAD')).toBe('1')
    await git('fetch', '-q', '--unshallow')
    expect(await git('rev-list', '--count', 'HEAD')).toBe('2')
    await git('fsck', '--full', '--strict')
  })

  test.each([0, 2])('say why where nothing of history is left, in protocol %i', async (version) => {
    const { git } = await clone(`${sandbox.url}/datasets/acme/corpus`)
    for (const [limit, reason] of [
      ['--shallow-exclude=main', 'no commits selected for shallow requests'],
      ['--shallow-since=2040-01-01', 'no commits selected for shallow requests'],
      ['--shallow-exclude=none', 'deepen-not'],
    ] as const) {
      const said = await refusalOf(git('-c', `protocol.version=${version}`, 'fetch', limit))
      expect(said).toMatch(/^fatal: remote error: upload-pack: /m)
      expect(said).toContain(reason)
    }
    expect(await git('rev-list', '--count', 'HEAD')).toBe('2')
  })

  test.each([0, 2])(
    'may leave out files until they are needed, in protocol %i',
    async (version) => {
      const { git, folder } = await clone(
        `${sandbox.url}/datasets/acme/corpus`,
        `--config=protocol.version=${version}`,
        '--filter=blob:none',
        '--no-checkout',
      )
      const missing = async () =>
        (await git('rev-list', '--objects', '--all', '--missing=print')).match(/^\?.*/gm) ?? []
      expect(await missing()).not.toEqual([])
      await git('checkout', '-q', 'main')
      expect(existsSync(join(folder, 'README.md'))).toBe(true)
      await git('log', '-p', '--all')
      expect(await missing()).toEqual([])
      await git('fsck', '--full', '--strict')
      const sparse = `--filter=sparse:oid=${await git('rev-parse', 'HEAD:README.md')}`
      expect(await refusalOf(git('fetch', '--refetch', sparse))).toMatch(
        /filter 'sparse:oid=\w+' not supported/,
      )
    },
  )

  test('need a token for what is private, and may have a bearer', async () => {
    const path = '/acme/ranker-internal'
    await expect(clone(sandbox.url + path)).rejects.toThrow('could not read Username')
    await expect(clone(addressFor('dave', sandbox.url, path))).rejects.toThrow('not found')
    const { folder } = await clone(addressFor('alice', sandbox.url, path))
    expect(existsSync(join(folder, 'README.md'))).toBe(true)
    await clone(sandbox.url + path, '-c', 'http.extraHeader=Authorization: Bearer hf_sandbox_bob')
  })

  test('follow a repo to its present name', async () => {
    const headers = { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    await post('/api/repos/create', { name: 'before' })
    const { git } = await clone(`${sandbox.url}/alice/before.git`)
    await post('/api/repos/move', {
      fromRepo: 'alice/before',
      toRepo: 'alice/after',
      type: 'model',
    })
    await git('fetch', '-q')
    const { git: other } = await clone(`${sandbox.url}/alice/before`)
    expect(await other('rev-parse', 'HEAD')).toBe(await git('rev-parse', 'HEAD'))
  })

  test('have no object that no ref leads to', async () => {
    const headers = { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' }
    const json = (path: string, body: object) =>
      fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    await json('/api/repos/create', { name: 'squashed' })
    const { git } = await clone(`${sandbox.url}/alice/squashed`)
    const old = await git('rev-parse', 'HEAD')
    await git('fetch', '-q', 'origin', old)
    await json('/api/models/alice/squashed/super-squash/main', {})
    // Where a ref has the name of an id, it is another one.
    await json(`/api/models/alice/squashed/branch/${old}`, {})
    for (const version of [0, 2]) {
      const { git: other } = await clone(`${sandbox.url}/alice/squashed`)
      const fetched = other('-c', `protocol.version=${version}`, 'fetch', 'origin', old)
      expect(await refusalOf(fetched)).toContain(`not our ref ${old}`)
    }
  })

  test('read the folder of a sandbox that keeps its state, which git itself finds whole', async () => {
    const data = temporaryDirectory()
    const kept = await startSandbox({ data })
    onTestFinished(() => kept.close())
    const { git } = await clone(`${kept.url}/datasets/acme/corpus`)
    await git('fetch', '-q')
    const id = readdirSync(join(data, 'repos')).find((name) =>
      existsSync(join(data, 'repos', name, 'packed-refs')),
    )
    const bare = gitIn(join(data, 'repos', id ?? ''))
    await bare('fsck', '--full', '--strict')
    expect(await bare('rev-parse', 'HEAD')).toBe(await git('rev-parse', 'HEAD'))
    expect(readFileSync(join(data, 'repos', id ?? '', 'packed-refs'), 'utf8')).toContain('refs/pr/')
    expect(readdirSync(join(data, 'repos', id ?? '')).toSorted()).toEqual([
      'HEAD',
      'config',
      'objects',
      'packed-refs',
      'refs',
    ])
  })

  test('leave nothing behind when the sandbox is closed', async () => {
    const folders = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith('hub-sandbox-contents-'))
    const other = await startSandbox()
    const before = folders()
    await cloneRepo(`${other.url}/datasets/acme/corpus`)
    const [made] = folders().filter((name) => !before.includes(name))
    expect(made).toBeDefined()
    await other.close()
    expect(folders()).not.toContain(made)
  })
})
