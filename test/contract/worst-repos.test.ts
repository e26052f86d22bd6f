import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressFor, hasGit } from '../helpers/git-client.ts'
import { callerAt } from '../helpers/cast.ts'
import { contentOf, lfsLine, uploadContent } from '../helpers/large-files.ts'
import {
  alice,
  bodyOf,
  json,
  longestPauseMs,
  many,
  type MeasuredSandbox,
  ndjson,
  startMeasured,
  type WorstInput,
} from '../helpers/measure-pauses.ts'

// As worst-inputs.test.ts, for repos of the largest size that a push may bring: each request about one of them must let
// other clients have their turns.

/** Files of a commit, as many as a push may bring, and files of one folder. */
const [mostFiles, mostInFolder] = [249_000, 100_000]
const commits = 15_000
const merged = 4000
const unknownId = '0123456789abcdef0123456789abcdef01234567'

/** Input of git-fast-import for a history of many commits. */
function history(): string {
  return many(commits, (n) => commitOf(n + 1, n === 0 ? [] : [n])).join('')
}

/** Input of git-fast-import for a commit with many parents. */
function parents(): string {
  const first = many(merged, (n) => `reset refs/heads/main\n${commitOf(n + 1, [])}`)
  return (
    first.join('') +
    commitOf(
      merged + 1,
      many(merged, (n) => n + 1),
    )
  )
}

function commitOf(mark: number, parents: readonly number[]): string {
  const links = parents.map((parent, index) => `${index === 0 ? 'from' : 'merge'} :${parent}\n`)
  const date = 1_700_000_000 + mark
  return `commit refs/heads/main\nmark :${mark}\ncommitter A <a@example.com> ${date} +0000\ndata 1\nx\n${links.join('')}M 100644 inline file.txt\ndata 1\na\n`
}

/** Runs git for as long as it needs. @param input goes to stdin @returns what it printed */
async function git(input: string, ...args: string[]): Promise<string> {
  const child = spawn('git', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  // A program that reads no input may have ended already.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const output = child.stdout.toArray()
  expect(await once(child, 'close')).toEqual([0, null])
  return Buffer.concat(await output)
    .toString()
    .trim()
}

/** Makes a repo of very many files, with a second commit that adds one. git-fast-import is slow at large folders. */
async function makeFiles(place: string): Promise<void> {
  const inRepo = (input: string, ...args: string[]) =>
    git(input, '-C', place, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args)
  const blob = await inRepo('a', 'hash-object', '-w', '--stdin')
  const entries = many(mostFiles, (n) => `100644 blob ${blob}\t${nameOf(n).split('/')[1]}\n`)
  const folders: string[] = []
  for (let from = 0; from < mostFiles; from += mostInFolder) {
    const tree = await inRepo(entries.slice(from, from + mostInFolder).join(''), 'mktree')
    folders.push(`040000 tree ${tree}\tfolder-${from / mostInFolder}\n`)
  }
  const before = await inRepo(folders.join(''), 'mktree')
  const after = await inRepo(`${folders.join('')}100644 blob ${blob}\tnew.txt\n`, 'mktree')
  const first = await inRepo('', 'commit-tree', '-m', 'x', before)
  const second = await inRepo('', 'commit-tree', '-m', 'x', '-p', first, after)
  await inRepo('', 'update-ref', 'refs/heads/main', second)
}

function nameOf(index: number): string {
  return `folder-${Math.floor(index / mostInFolder)}/${String(index).padStart(9, '0')}.txt`
}

const hub = (name: string) => `/api/models/acme/${name}`
const control = (name: string) => `/_sandbox/api/repos/model/acme/${name}`
const post = (value: unknown, headers: Record<string, string> = json) => ({
  headers,
  body: () => (typeof value === 'string' ? value : JSON.stringify(value)),
})
const get = (name: string, path: string, more: Partial<WorstInput> = {}): WorstInput => ({
  name,
  path,
  headers: alice,
  ...more,
})
const text = (lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const addFile = (path: string) => [
  { key: 'header', value: { summary: 'Add' } },
  { key: 'file', value: { path, content: `${Math.random()}` } },
]
const scattered = many(2000, (n) => nameOf((n * 124_573) % mostFiles))

const rows: readonly WorstInput[] = [
  get('history: first page of commits', `${hub('history')}/commits/main?limit=1000`),
  get('history: last page of commits', `${hub('history')}/commits/main?limit=1000&p=14`),
  get('history: unknown commit', `${hub('history')}/revision/${unknownId}`, { status: 404 }),
  get('history: tree of an unknown commit', `${hub('history')}/tree/${unknownId}`, { status: 404 }),
  get('history: file of an unknown commit', `/acme/history/resolve/${unknownId}/file.txt`, {
    status: 404,
  }),
  get('history: short commit id', `${hub('history')}/revision/0000000`, { status: 404 }),
  get('history: last commits', `${hub('history')}/tree/main?expand=true`),
  get('history: refs', `${hub('history')}/refs?include_prs=true`),
  get('history: commits in the dashboard', `${control('history')}/commits?limit=1000`),
  get('history: unknown commit in the dashboard', `${control('history')}/commits/${unknownId}`, {
    status: 404,
  }),
  get('parents: commits', `${hub('parents')}/commits/main?limit=1000`),
  get('parents: unknown commit', `${hub('parents')}/revision/${unknownId}`, { status: 404 }),
  get('parents: last commits', `${hub('parents')}/tree/main?expand=true`),
  get('files: about the repo', `${hub('files')}?blobs=true`),
  get('files: used storage', `${hub('files')}?expand=usedStorage`),
  get('files: first page of all files', `${hub('files')}/tree/main?recursive=true`),
  get('files: a folder', `${hub('files')}/tree/main/folder-1`),
  get('files: a folder with last commits', `${hub('files')}/tree/main/folder-0?expand=true`),
  get('files: one file', `/acme/files/resolve/main/folder-1/000150000.txt`, { method: 'HEAD' }),
  {
    name: 'files: 2,000 paths',
    path: `${hub('files')}/paths-info/main`,
    ...post({ paths: scattered }),
  },
  {
    name: 'files: 2,000 paths with last commits',
    path: `${hub('files')}/paths-info/main`,
    ...post({ paths: scattered, expand: true }),
  },
  {
    name: 'files: upload modes of 1,000 paths',
    path: `${hub('files')}/preupload/main`,
    ...post({ files: scattered.slice(0, 1000).map((path) => ({ path, size: 1 })) }),
  },
  {
    name: 'files: commit to a full folder',
    path: `${hub('files')}/commit/main`,
    ...post(text(addFile('folder-1/new.txt')), ndjson),
  },
  {
    name: 'files: pull request to a full folder',
    path: `${hub('files')}/commit/main?create_pr=1`,
    ...post(text(addFile('folder-2/new.txt')), ndjson),
  },
  {
    name: 'files: delete a full folder in a pull request',
    path: `${hub('files')}/commit/main?create_pr=1`,
    ...post(
      text([
        { key: 'header', value: { summary: 'Delete' } },
        { key: 'deletedFolder', value: { path: 'folder-1/' } },
      ]),
      ndjson,
    ),
  },
  get('files: pull request in the dashboard', `${control('files')}/discussions/1`),
  get('files: all files in the dashboard', `${control('files')}/files?limit=1000`),
  get('files: repo in the dashboard', '/_sandbox/api/repos/models/acme/files'),
  get('files: commit in the dashboard', `${control('files')}/commits?limit=10`),
  get('files: list of all repos', '/api/models?full=true&expand=siblings&limit=1000'),
  get('files: large files', `${hub('files')}/lfs-files`),
  get('export', '/_sandbox/api/export', { ofWholeState: true }),
  { name: 'snapshot', path: '/_sandbox/api/snapshots', ...post({}), status: 201 },
  get('snapshot comparison', '/_sandbox/api/snapshots/snapshot-1/comparison', {
    ofWholeState: true,
  }),
  get('reset comparison', '/_sandbox/api/reset/comparison', { ofWholeState: true }),
  get('snapshot as fixtures', '/_sandbox/api/snapshots/snapshot-1', { ofWholeState: true }),
]

const trigger = (event: string, kind?: string) =>
  request('/_sandbox/api/events', { event, kind, repo: 'models/acme/files' })

let sandbox: MeasuredSandbox | undefined
let folder: string
const pushPausesMs = new Map<string, number>()
/** Id of the first of many commits. */
let firstCommit: string

beforeAll(async () => {
  if (!hasGit) return
  folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-worst-'))
  const makers: Record<string, (place: string) => Promise<unknown>> = {
    history: (place) => git(history(), '-C', place, 'fast-import', '--quiet'),
    parents: (place) => git(parents(), '-C', place, 'fast-import', '--quiet'),
    files: makeFiles,
  }
  sandbox = await startMeasured({
    users: [{ username: 'alice', tokens: [{ token: 'hf_sandbox_alice' }] }],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
    repos: Object.keys(makers)
      .flatMap((name) => [name, `${name}-again`])
      .map((name) => ({ type: 'model', name: `acme/${name}` })),
  })
  for (const [name, make] of Object.entries(makers)) {
    const place = join(folder, name)
    await git('', 'init', '-q', '--bare', place)
    await make(place)
    const pauseOfPush = async (repo: string) => {
      const address = addressFor('alice', present(sandbox).url, `/acme/${repo}`)
      const push = () => git('', '-C', place, 'push', '-q', '--force', address, 'main')
      return (await present(sandbox).watch(async () => void (await push()))).longestMs
    }
    const first = await pauseOfPush(name)
    // Garbage collection comes at random: a pause that the push causes comes again.
    const again = first < longestPauseMs ? first : await pauseOfPush(`${name}-again`)
    pushPausesMs.set(name, Math.min(first, again))
  }
  firstCommit = await git('', '-C', join(folder, 'history'), 'rev-list', '--max-parents=0', 'main')
  await commit('folder-2/first.txt', '?create_pr=1')
}, 300_000)

const user = () => callerAt(present(sandbox), 'hf_sandbox_alice')
const request = <T>(path: string, value: object) => bodyOf(user().post<T>(path, value))
const commit = (path: string, query = '') =>
  bodyOf(
    user().postLines<{ pullRequestUrl: string }>(
      `${hub('files')}/commit/main${query}`,
      addFile(path),
    ),
  )

/** Opens a pull request that adds a file to a full folder. @returns its number */
async function propose(): Promise<number> {
  const { pullRequestUrl } = await commit(`folder-0/merged-${(made += 1)}.txt`, '?create_pr=1')
  return Number(/\d+$/.exec(pullRequestUrl)?.[0])
}

const mergeInHub = async () => request(`${hub('files')}/discussions/${await propose()}/merge`, {})

/** Adds a pointer to a file of Git LFS that was uploaded before to a full folder. */
async function commitLargeFile(): Promise<void> {
  const content = Buffer.from(`large ${(made += 1)}`)
  await uploadContent(user(), '/acme/files', content)
  const lines = [
    { key: 'header', value: { summary: 'Add' } },
    lfsLine(`folder-1/${made}.bin`, contentOf(content)),
  ]
  await bodyOf(user().postLines(`${hub('files')}/commit/main`, lines))
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not started')
  return value
}

let made = 0
/** Requests that change a repo, each with a name of its own, since they run several times. */
const changes: Record<string, () => Promise<unknown>> = {
  'history: branch from an early commit': () =>
    request(`${hub('history')}/branch/branch-${(made += 1)}`, { startingPoint: firstCommit }),
  'history: tag of an early commit': () =>
    request(`${hub('history')}/tag/${firstCommit}`, { tag: `tag-${(made += 1)}` }),
  'history: branch from an unknown commit': () =>
    expect(
      request(`${hub('history')}/branch/branch-${(made += 1)}`, { startingPoint: unknownId }),
    ).rejects.toThrow('404'),
  'files: merge a pull request to a full folder': mergeInHub,
  'files: merge a pull request in the dashboard': async () =>
    request(`${control('files')}/discussions/${await propose()}/merge`, { user: 'alice' }),
  'files: merge beside a moved branch': async () => {
    const num = await propose()
    await commit(`folder-1/${(made += 1)}.txt`)
    await request(`${hub('files')}/discussions/${num}/merge`, {})
  },
  'files: large file to a full folder': commitLargeFile,
  'files: trigger a commit': () => trigger('repo.content.update'),
  'files: trigger a merge': () => trigger('discussion.update', 'merge'),
  'files: branch with all files': () => request(`${hub('files')}/branch/branch-${(made += 1)}`, {}),
}

afterAll(() => {
  sandbox?.close()
  if (hasGit) rmSync(folder, { recursive: true, force: true })
}, 120_000)

test.skipIf(!hasGit).each(['history', 'parents', 'files'])(
  'git push of %s: no long pause',
  (name) => {
    expect(pushPausesMs.get(name)).toBeLessThan(longestPauseMs)
  },
)

test.skipIf(!hasGit).each(rows)(
  '$name: no long pause',
  async (row) => {
    const measured = await sandbox?.measure(row)
    expect(measured?.pauseMs).toBeLessThan(measured?.allowedMs ?? 0)
  },
  300_000,
)

test.skipIf(!hasGit).each(Object.entries(changes))(
  '%s: no long pause',
  async (name, change) => {
    const measured = await sandbox?.measureTask(name, async () => void (await change()))
    expect(measured?.pauseMs).toBeLessThan(measured?.allowedMs ?? 0)
  },
  300_000,
)
