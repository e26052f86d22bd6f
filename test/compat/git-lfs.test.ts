import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { type Installed, installCached } from '../helpers/cached-install.ts'
import {
  addressFor,
  cloneRepo,
  type GitClient,
  gitIn,
  hasGit,
  refusalOf,
} from '../helpers/git-client.ts'
import { hasProgram } from '../helpers/programs.ts'
import { installPythonClient } from '../helpers/python-client.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const module = 'github.com/git-lfs/git-lfs/v3@v3.6.1'

/** git-lfs as it is installed, or else built once. */
async function findGitLfs(): Promise<Partial<Installed>> {
  if (!hasGit) return { obstacle: 'git is not installed' }
  if (hasProgram('git-lfs')) return {}
  if (!hasProgram('go', 'version')) return { obstacle: 'neither git-lfs nor Go is installed' }
  return installCached('git-lfs', [module], async (folder) => {
    const variables = {
      GOBIN: folder,
      GOMODCACHE: join(folder, 'modules'),
      GOCACHE: join(folder, 'built'),
      GOFLAGS: '-modcacherw',
      GOTOOLCHAIN: 'local',
      CGO_ENABLED: '0',
    }
    await promisify(execFile)('go', ['install', module], { env: { ...process.env, ...variables } })
    for (const rest of ['modules', 'built']) rmSync(join(folder, rest), { recursive: true })
  })
}

let found: Partial<Installed>
let sandbox: Sandbox
let count = 0
const made: string[] = []
beforeAll(async () => {
  found = await findGitLfs()
  sandbox = await startSandbox()
}, 300_000)
afterAll(() => sandbox.close())
afterEach(async () => {
  for (const path of made.splice(0)) {
    const { git } = await cloneRepo(addressFor('alice', sandbox.url, path), '--mirror')
    await git('fsck', '--full', '--strict')
  }
})
beforeEach(({ skip }) => skip(found.obstacle !== undefined, found.obstacle))

const api = async <T>(path: string, body?: object, method = 'POST'): Promise<T> =>
  (await fetch(sandbox.url + path, {
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
    ...(body && { method, body: JSON.stringify(body) }),
  }).then((answer) => answer.json())) as T

async function newRepo(): Promise<string> {
  const name = `large-${++count}`
  await api('/api/repos/create', { name, private: true })
  made.push(`/alice/${name}`)
  return `/alice/${name}`
}

const pathWith = (...folders: (string | undefined)[]) =>
  [...folders, found.folder, process.env['PATH']].filter(Boolean).join(delimiter)

/**
 * A clone that keeps large files apart.
 * @param programs folder of others that git is to find
 */
async function cloneWithLfs(
  path: string,
  programs?: string,
): Promise<{ git: GitClient; folder: string }> {
  const { folder } = await cloneRepo(addressFor('alice', sandbox.url, path))
  const git = gitIn(folder, { HOME: temporaryDirectory(), PATH: pathWith(programs) })
  await git('lfs', 'install', '--local')
  await git('lfs', 'pull')
  return { git, folder }
}

async function commitLarge({ git, folder }: { git: GitClient; folder: string }, bytes: Buffer) {
  writeFileSync(join(folder, 'model.bin'), bytes)
  await git('add', '-A')
  await git('commit', '-qm', 'A large file')
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('git-lfs', () => {
  const bytes = randomBytes(3_000_000)

  test('uploads before it pushes, and others have the file', async () => {
    const path = await newRepo()
    const mine = await cloneWithLfs(path)
    await commitLarge(mine, bytes)
    await mine.git('push', '-q')
    const [entry] = (
      await api<{ path: string; size: number; oid: string; lfs?: object }[]>(
        `/api/models${path}/tree/main`,
      )
    ).filter((each) => each.path === 'model.bin')
    expect(entry).toMatchObject({
      oid: await mine.git('rev-parse', 'HEAD:model.bin'),
      size: bytes.length,
      lfs: { oid: sha256(bytes), size: bytes.length },
    })
    const other = await cloneWithLfs(path)
    expect(readFileSync(join(other.folder, 'model.bin')).equals(bytes)).toBe(true)
    await other.git('lfs', 'fsck')
    const changed = Buffer.concat([bytes, Buffer.from('more')])
    await commitLarge(other, changed)
    await other.git('push', '-q')
    await mine.git('pull', '-q')
    expect(readFileSync(join(mine.folder, 'model.bin')).equals(changed)).toBe(true)
  })

  test('is told by name what it has not uploaded to this repo, wherever else it is', async () => {
    const first = await cloneWithLfs(await newRepo())
    await commitLarge(first, bytes)
    await first.git('push', '-q')
    const { git, folder } = await cloneWithLfs(await newRepo())
    await commitLarge({ git, folder }, bytes)
    const said = await refusalOf(git('push', '--no-verify'))
    expect(said).toContain(`remote:  - model.bin: ${sha256(bytes)} (ref: refs/heads/main)`)
    expect(said).toContain('(pre-receive hook declined)')
    await git('lfs', 'push', '--all', 'origin')
    await git('push', '-q', '--no-verify')
  })

  test('tries again what broke off, and goes on with a download where it ended', async () => {
    const path = await newRepo()
    const mine = await cloneWithLfs(path)
    await commitLarge(mine, bytes)
    const route = `${path}.git/info/lfs/objects/*`
    const { id } = await sandbox.faults.add({
      match: { route, method: 'PUT' },
      times: 1,
      break: 'reset',
    })
    await mine.git('push', '-q')
    expect((await sandbox.faults.list()).find((fault) => fault.id === id)?.hits).toBe(1)
    const oid = sha256(bytes)
    // Whoever pushes it again has nothing to upload, whatever a slow machine makes git-lfs print of it.
    await mine.git('lfs', 'push', '--all', 'origin')
    const sent = await api<{ items: { path: string; method: string; status: number }[] }>(
      '/_sandbox/api/requests?limit=20',
    )
    const uploads = sent.items.filter(
      ({ path: sentTo, method }) => method === 'PUT' && sentTo.includes(`/objects/${oid}`),
    )
    // The one whose answer was lost: it had come.
    expect(uploads).toMatchObject([{ status: 0 }])
    expect(sent.items[0]).toMatchObject({ method: 'POST', status: 200 })
    expect(sent.items[0]?.path).toMatch(/objects\/batch$/)

    const other = await cloneWithLfs(path)
    const lfs = join(other.folder, '.git/lfs')
    rmSync(join(lfs, 'objects'), { recursive: true })
    rmSync(join(other.folder, 'model.bin'))
    mkdirSync(join(lfs, 'incomplete'), { recursive: true })
    writeFileSync(join(lfs, 'incomplete', `${oid}.part`), bytes.subarray(0, 1_000_000))
    await other.git('lfs', 'pull')
    expect(readFileSync(join(other.folder, 'model.bin')).equals(bytes)).toBe(true)
    const { items } = await api<{ items: { path: string; status: number }[] }>(
      '/_sandbox/api/requests?limit=20',
    )
    const downloads = items.filter((item) => item.path.includes(`/objects/${oid}`))
    expect(downloads[0]).toMatchObject({ method: 'GET', status: 206 })
  })

  // It is given all objects of a batch by git-lfs, and ends with the first that does not come in parts.
  test('hands large files, and small ones, to the program of the hub that sends parts', async ({
    skip,
  }) => {
    const { interpreter, obstacle } = await installPythonClient()
    skip(obstacle !== undefined, obstacle)
    // What pip has made of it knows the folder in which it was installed, and none where it is now.
    const programs = temporaryDirectory()
    const hf = `#!/bin/sh\nexec '${interpreter}' -c 'from huggingface_hub.cli.hf import main; main()' "$@"\n`
    writeFileSync(join(programs, 'hf'), hf, { mode: 0o755 })
    const path = await newRepo()
    const { git, folder } = await cloneWithLfs(path, programs)
    await promisify(execFile)(join(programs, 'hf'), ['lfs-enable-largefiles', folder], {
      env: { ...process.env, PATH: pathWith(programs) },
    })
    expect(await git('config', 'lfs.customtransfer.multipart.args')).toContain('multipart')
    const commits = [{ 'small.bin': 30 }, { 'large.bin': 20_000_000, 'other.bin': 40 }]
    for (const files of commits) {
      for (const [name, size] of Object.entries(files)) {
        writeFileSync(join(folder, name), randomBytes(size))
      }
      await git('add', '-A')
      await git('commit', '-qm', 'Some')
      await git('push', '-q')
    }
    const other = await cloneWithLfs(path)
    for (const name of commits.flatMap(Object.keys)) {
      const sent = readFileSync(join(folder, name))
      expect(readFileSync(join(other.folder, name)).equals(sent)).toBe(true)
    }
  }, 300_000)

  test('locks a file: others cannot push it until it is unlocked', async () => {
    const path = '/acme/locked'
    await api('/api/repos/create', { name: 'locked', organization: 'acme' })
    const mine = await cloneWithLfs(path)
    await commitLarge(mine, bytes)
    await mine.git('push', '-q')
    await mine.git('lfs', 'lock', 'model.bin')
    expect(await mine.git('lfs', 'locks')).toMatch(/model\.bin\s+alice\s+ID:/)

    const other = await cloneWithLfs(path)
    await other.git('remote', 'set-url', 'origin', addressFor('bob', sandbox.url, path))
    await other.git('config', 'lfs.locksverify', 'true')
    expect(await refusalOf(other.git('lfs', 'lock', 'model.bin'))).toContain(
      'model.bin is locked by alice already',
    )
    await commitLarge(other, randomBytes(1000))
    expect(await refusalOf(other.git('push'))).toContain('Cannot update locked files.')

    await mine.git('lfs', 'unlock', 'model.bin')
    await other.git('push', '-q')
    expect(await mine.git('lfs', 'locks')).toBe('')
  })

  test('tells its user why the hub refuses', async () => {
    const path = await newRepo()
    const { git, folder } = await cloneWithLfs(path)
    await commitLarge({ git, folder }, bytes)
    const said = (user: string) =>
      refusalOf(git('lfs', 'push', '--all', addressFor(user, sandbox.url, path)))
    expect(await said('dave')).toContain('batch response: Repository not found')
    expect(await said('nobody')).toContain('Invalid credentials in Authorization header')
    await git('push', '-q')
    await api(`/api/models${path}/settings`, { private: false, gated: 'manual' }, 'PUT')
    rmSync(join(folder, '.git/lfs/objects'), { recursive: true })
    const url = `lfs.url=${addressFor('dave', sandbox.url, path)}.git/info/lfs`
    expect(await refusalOf(git('-c', url, 'lfs', 'fetch'))).toContain(
      'is restricted and you are not in the authorized list',
    )
  })
})
