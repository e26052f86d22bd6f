import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import type { HubEvent } from '../../server/hub/events/hub-event.ts'
import { openPullRequest } from '../../server/hub/discussions/pull-requests.ts'
import { deleteRepo, moveRepo } from '../../server/hub/repos/repos.ts'
import { revokeAccessToken } from '../../server/hub/access/revoke-token.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import { type RunningSandbox, runSandbox } from '../../server/app/run-sandbox.ts'
import {
  addressFor,
  cloneRepo,
  type GitClient,
  gitIn,
  hasGit,
  refusalOf,
} from '../helpers/git-client.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { mintUserToken } from '../helpers/user-token.ts'

let sandbox: RunningSandbox
let events: HubEvent[]
let count = 0
/** The repos of a test. */
const made = new Set<string>()

async function start(data?: string): Promise<RunningSandbox> {
  const options = data === undefined ? {} : { data, ephemeral: false }
  const running = await runSandbox(await resolveOptions(options), { makeKeyAhead: false })
  running.deps.bus.on('hub.event', ({ data: event }) => events.push(event))
  return running
}

beforeAll(async () => {
  events = []
  if (hasGit) sandbox = await start()
})
afterAll(async () => {
  if (hasGit) await sandbox.close()
})

afterEach(async () => {
  const { state, objects } = sandbox.deps
  for (const repo of [...state.repos.values()].filter(({ id }) => made.delete(id))) {
    const git = gitIn(await objects.folderFor(repo))
    // Whatever became of a push: what it leaves is whole, and so is what refs lead to that git has not been told of yet.
    await git('fsck', '--full', '--strict', '--no-dangling', ...Object.values(repo.refs))
  }
})

async function ask<T>(path: string, body?: object, user = 'alice'): Promise<T> {
  const answer = await fetch(sandbox.url + path, {
    headers: {
      authorization: `Bearer hf_sandbox_${user}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await answer.json()) as T
}

/** A push that is under way. */
interface Sent {
  readonly repo: Repo
  readonly token: AccessToken
}

interface World {
  name: string
  git: GitClient
  folder: string
}

/** A new repo of alice, cloned by one of her organization. Nothing has happened to it. */
async function newRepo(more: object = {}): Promise<World> {
  const name = `acme/pushed-${++count}`
  await ask('/api/repos/create', { name: name.slice(5), organization: 'acme', ...more })
  for (const repo of sandbox.deps.state.repos.values()) if (repo.name === name) made.add(repo.id)
  const clone = await cloneRepo(addressFor('bob', sandbox.url, `/${name}`))
  events.length = 0
  return { name, ...clone }
}

async function commit({ git, folder }: World, path: string, content: string | Buffer = path) {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
  await git('add', '-A')
  await git('commit', '-qm', `Add ${path}`)
  return git('rev-parse', 'HEAD')
}

const headsOf = async ({ name }: World) => {
  const { branches, tags } = await ask<
    Record<'branches' | 'tags', { name: string; targetCommit: string }[]>
  >(`/api/models/${name}/refs`)
  return Object.fromEntries(
    [...branches, ...tags].map((ref) => [ref.name, ref.targetCommit]),
  ) as Record<string, string>
}

/** Nothing moved, and nobody was told. */
async function expectRefused(world: World, work: () => Promise<unknown>): Promise<string> {
  const before = await headsOf(world)
  const said = await refusalOf(work())
  expect(await headsOf(world)).toEqual(before)
  expect(events).toEqual([])
  expect(said).toBeDefined()
  return said ?? ''
}

const updates = () =>
  events.map(({ scope, action, cause, updatedRefs }) => ({ scope, action, cause, updatedRefs }))

describe.skipIf(!hasGit)('git push', () => {
  test('brings commits as they are, and the API answers their ids', async () => {
    const world = await newRepo()
    const { git, folder, name } = world
    const before = await git('rev-parse', 'HEAD')
    mkdirSync(join(folder, 'dir/ä ö'), { recursive: true })
    writeFileSync(join(folder, 'dir/ä ö/run.sh'), '#!/bin/sh\n')
    chmodSync(join(folder, 'dir/ä ö/run.sh'), 0o755)
    symlinkSync('dir', join(folder, 'link'))
    await git('add', '-A')
    await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    await git('commit', '-qm', 'Zoë’s files\n\nWith a reason')
    await git('tag', '-a', 'v1', '-m', 'The first')
    await git('tag', 'plain')
    const head = await git('rev-parse', 'HEAD')
    await git('push', '-q', 'origin', 'main', 'v1', 'plain')
    expect(await headsOf(world)).toEqual({ main: head, v1: head, plain: head })
    const tag = await git('rev-parse', 'v1')
    expect(updates()).toEqual([
      {
        scope: 'repo.content',
        action: 'update',
        cause: 'api',
        updatedRefs: [
          { ref: 'refs/heads/main', oldSha: before, newSha: head },
          { ref: 'refs/tags/v1', oldSha: null, newSha: tag },
          { ref: 'refs/tags/plain', oldSha: null, newSha: head },
        ],
      },
    ])
    expect(await ask(`/api/models/${name}/commits/v1`)).toMatchObject([
      {
        id: head,
        title: 'Zoë’s files',
        message: 'With a reason',
        authors: [{ user: 'Zoë' }],
        date: '2023-11-14T22:13:21.000Z',
      },
      { id: before },
    ])
    const tree = await ask<{ path: string; oid: string }[]>(
      `/api/models/${name}/tree/main?recursive=true`,
    )
    const listed = await git(
      '-c',
      'core.quotePath=false',
      'ls-tree',
      '-rt',
      '--format=%(objectname) %(path)',
      'HEAD',
    )
    expect(tree.map(({ oid, path }) => `${oid} ${path}`).toSorted()).toEqual(
      listed.split('\n').toSorted(),
    )
    const { git: other } = await cloneRepo(`${sandbox.url}/${name}`)
    expect(await other('rev-parse', 'main', 'v1')).toBe(`${head}\n${tag}`)
    await other('fsck', '--full', '--strict')
  })

  test('is seen by those who fetch, next to what the API commits', async () => {
    const world = await newRepo()
    const { name, git } = world
    const { git: other } = await cloneRepo(`${sandbox.url}/${name}`)
    const first = await commit(world, 'a.txt')
    await git('push', '-q')
    const lines = [
      { key: 'header', value: { summary: 'By the API' } },
      { key: 'file', value: { path: 'b.txt', content: 'b' } },
    ].map((line) => JSON.stringify(line))
    const answer = await fetch(`${sandbox.url}/api/models/${name}/commit/main`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer hf_sandbox_alice',
        'content-type': 'application/x-ndjson',
      },
      body: lines.join('\n'),
    })
    const { commitOid } = (await answer.json()) as { commitOid: string }
    await other('pull', '-q')
    expect(await other('log', '--format=%H', '-2')).toBe(`${commitOid}\n${first}`)
    await git('pull', '-q')
    await commit(world, 'c.txt')
    await git('push', '-q')
    await git('fsck', '--full', '--strict')
    expect(events).toHaveLength(3)
  })

  test('makes, forces and deletes branches and tags', async () => {
    const world = await newRepo()
    const { git } = world
    const first = await commit(world, 'a')
    await git('push', '-q', 'origin', 'main', 'main:dev/x', 'main:refs/tags/v1')
    await git('commit', '-q', '--amend', '-m', 'Otherwise')
    const second = await git('rev-parse', 'HEAD')
    await git('push', '-q', '--force', 'origin', 'main', 'main:refs/tags/v1')
    expect(await headsOf(world)).toEqual({ main: second, 'dev/x': first, v1: second })
    await git('push', '-q', '--delete', 'origin', 'dev/x', 'v1')
    expect(await headsOf(world)).toEqual({ main: second })
    expect(updates().map(({ updatedRefs }) => updatedRefs?.map(({ ref }) => ref))).toEqual([
      ['refs/heads/main', 'refs/heads/dev/x', 'refs/tags/v1'],
      ['refs/heads/main', 'refs/tags/v1'],
      ['refs/heads/dev/x', 'refs/tags/v1'],
    ])
  })

  test('may come from a shallow clone, and in one piece that is larger than a buffer', async () => {
    const world = await newRepo()
    await commit(world, 'a')
    await world.git('push', '-q')
    const shallow = await cloneRepo(
      addressFor('bob', sandbox.url, `/${world.name}`),
      '--depth=1',
      '--config=http.postBuffer=65536',
      '--config=core.compression=0',
    )
    const head = await commit({ ...world, ...shallow }, 'large.txt', 'line\n'.repeat(100_000))
    await shallow.git('push', '-q')
    expect(await headsOf(world)).toEqual({ main: head })
  })

  test('is refused from a shallow clone whose history the repo does not have', async () => {
    const [origin, world] = [await newRepo(), await newRepo()]
    for (const name of ['a', 'b']) await commit(origin, name)
    await origin.git('push', '-q')
    const shallow = await cloneRepo(
      addressFor('alice', sandbox.url, `/${origin.name}`),
      '--depth=1',
    )
    const target = addressFor('alice', sandbox.url, `/${world.name}`)
    events.length = 0
    const output = await expectRefused(world, () => shallow.git('push', target, 'HEAD:other'))
    expect(output).toContain('HEAD -> other (shallow update not allowed)')
    await shallow.git('fetch', '-q', '--unshallow')
    await shallow.git('push', '-q', target, 'HEAD:other')
  })

  test('is refused where the branch has moved since', async () => {
    const world = await newRepo()
    const { git, name } = world
    const other = await cloneRepo(addressFor('alice', sandbox.url, `/${name}`))
    await commit({ ...world, ...other }, 'theirs')
    await other.git('push', '-q')
    events.length = 0
    await commit(world, 'ours')
    expect(await expectRefused(world, () => git('push'))).toContain(
      '[rejected]        main -> main (fetch first)',
    )
  })

  test('is decided by who comes first, where two push at once', async () => {
    const world = await newRepo()
    const others = await Promise.all(
      ['alice', 'bob', 'alice'].map((user) =>
        cloneRepo(addressFor(user, sandbox.url, `/${world.name}`)),
      ),
    )
    const heads = await Promise.all(
      others.map((other, index) => commit({ ...world, ...other }, `${index}`)),
    )
    const said = await Promise.all(others.map(({ git }) => refusalOf(git('push'))))
    const winner = said.findIndex((text) => text === undefined)
    const refused = said.filter((text) => text !== undefined)
    expect(refused).toHaveLength(2)
    for (const text of refused) expect(text).toMatch(/rejected.*\(fetch first\)/)
    expect(await headsOf(world)).toEqual({ main: heads[winner] })
    expect(events).toHaveLength(1)
  })

  test('is for those who may write', async () => {
    const world = await newRepo()
    await commit(world, 'a')
    const carol = addressFor('carol', sandbox.url, `/${world.name}`)
    const said = await expectRefused(world, () => world.git('push', carol, 'main'))
    expect(said).toContain('remote: Committing, branching and tagging needs the write right')
    expect(said).toContain('error: 403')
  })

  test('takes no refs but branches, tags and pull requests, and keeps main', async () => {
    const world = await newRepo()
    const { git } = world
    // More than a connection holds: whoever is refused has sent it all the same.
    await commit(world, 'a', randomBytes(3_000_000).toString('base64'))
    for (const [spec, reason] of [
      ['main:refs/notes/x', 'only branches, tags and pull requests can be pushed'],
      ['main:refs/heads/refs/x', 'this name is not possible'],
      [`main:refs/heads/${'n'.repeat(251)}`, 'this name is not possible'],
      ['main:refs/pr/7', 'there is no such pull request'],
      [':main', 'Cannot delete refs/heads/main'],
      ['main:refs/heads/main/x', 'conflicts with refs/heads/main'],
      ['main^{tree}:refs/tags/tree', 'it leads to a tree, not to a commit'],
    ] as const) {
      expect(await expectRefused(world, () => git('push', 'origin', spec))).toContain(
        `[remote rejected] ${spec.startsWith(':') ? 'main' : spec.replace(/:refs\/(?:heads|tags)\//, ' -> ').replace(':', ' -> ')} (${reason})`,
      )
    }
  })

  test('does what it can, or all or nothing', async () => {
    const world = await newRepo()
    const { git } = world
    const head = await commit(world, 'a')
    const specs = ['main:refs/heads/dev', 'main:refs/notes/x']
    expect(await expectRefused(world, () => git('push', '--atomic', 'origin', ...specs))).toContain(
      'main -> dev (atomic push failure)',
    )
    await expect(git('push', 'origin', ...specs)).rejects.toThrow('can be pushed')
    expect(await headsOf(world)).toMatchObject({ dev: head })
    expect(events).toHaveLength(1)
  })

  test('declines files over 10 MiB by name', async () => {
    const world = await newRepo()
    mkdirSync(join(world.folder, 'dir'))
    writeFileSync(join(world.folder, 'dir/fits.txt'), Buffer.alloc(10 * 1024 * 1024, 'x'))
    await commit(world, 'dir/large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
    const said = await expectRefused(world, () => world.git('push', 'origin', 'main', 'main:dev'))
    expect(said).toContain(
      'remote: Your push was rejected because it contains files larger than 10 MiB.',
    )
    expect(said).toContain('remote: Please use https://git-lfs.github.com/ to store large files.')
    expect(said).not.toContain('fits.txt')
    expect(said).toMatch(/remote: {2}- dir\/large\.txt \(ref: refs\/heads\/main\)/)
    expect(said).toContain('! [remote rejected] main -> main (pre-receive hook declined)')
    const [record] = await ask<{ items: { error: string; detail: string }[] }>(
      '/_sandbox/api/requests?limit=5',
    ).then(({ items }) => items.filter(({ error }) => error !== undefined))
    expect(record).toMatchObject({
      error: 'push_declined',
      detail: expect.stringContaining('dir/large.txt') as string,
    })
  })

  test('declines what is no text by name, and takes small pictures', async () => {
    const world = await newRepo()
    const most = 100 * 1024
    // As pictures and archives do, it has a zero among its first bytes.
    const binary = (size: number) => Buffer.concat([Buffer.of(0x89, 0), Buffer.alloc(size - 2, 1)])
    writeFileSync(join(world.folder, 'icon.png'), binary(most))
    writeFileSync(join(world.folder, 'corpus.txt'), Buffer.alloc(most + 1, 'x'))
    await commit(world, 'assets/logo.png', binary(most + 1))
    // What an earlier commit has comes along, whatever became of it.
    await world.git('rm', '-q', 'assets/logo.png')
    await world.git('commit', '-qm', 'Without it')
    const said = await expectRefused(world, () => world.git('push'))
    expect(said.match(/^remote: .*\S/gm)?.slice(1, 6)).toEqual([
      'remote: Your push was rejected because it contains binary files.',
      'remote: Please use https://huggingface.co/docs/hub/xet to store binary files.',
      'remote: See also: https://huggingface.co/docs/hub/xet/using-xet-storage#git',
      'remote: Offending files:',
      'remote:  - assets/logo.png (ref: refs/heads/main)',
    ])
    expect(said).not.toMatch(/icon|corpus/)
  })

  test('declines pointers to what was never uploaded here', async () => {
    const world = await newRepo()
    const oid = 'a'.repeat(64)
    await commit(
      world,
      'model.bin',
      `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 5\n`,
    )
    const said = await expectRefused(world, () => world.git('push'))
    expect(said).toContain(`remote:  - model.bin: ${oid} (ref: refs/heads/main)`)
    expect(said).toContain('(pre-receive hook declined)')
  })

  test('declines a README that cannot be read, at the top of a branch as it will be', async () => {
    const world = await newRepo()
    await commit(world, 'README.md', '---\nmodel-index: foo\nbase_model: ./out\n---\n')
    const said = await expectRefused(world, () => world.git('push'))
    expect(said).toContain(
      'remote: Sorry, your push was rejected during YAML metadata verification:',
    )
    expect(said).toContain(
      'remote:  - Error: "model-index" must be an array (ref: refs/heads/main)',
    )
    expect(said).toContain('remote:  - Error: "base_model" with value "./out" is not valid.')
    expect(said).toContain('(pre-receive hook declined)')
    await commit(world, 'README.md', '---\nlicense: mit\n---\n')
    await world.git('push', '-q')
    mkdirSync(join(world.folder, 'docs'))
    await commit(world, 'docs/README.md', '---\na: [\n---\n')
    await world.git('push', '-q')
  })

  test('declines more READMEs at once than can be checked', async () => {
    const world = await newRepo()
    for (const branch of ['one', 'two', 'three']) {
      await world.git('checkout', '-qb', branch)
      await commit(world, 'README.md', `---\nsummary: ${branch.padEnd(400 * 1024, '.')}\n---\n`)
    }
    const said = await expectRefused(world, () => world.git('push', '--all'))
    expect(said).toContain('the READMEs of a push can have 1024 KiB of metadata in all')
    await world.git('push', '-q', 'origin', 'one', 'two')
  })

  test.skipIf(process.platform !== 'linux')('declines names that are not UTF-8', async () => {
    const world = await newRepo()
    writeFileSync(Buffer.concat([Buffer.from(`${world.folder}/bad-`), Buffer.of(0xff)]), 'x')
    await world.git('add', '-A')
    await world.git('commit', '-qm', 'Odd')
    const said = await expectRefused(world, () => world.git('push'))
    expect(said).toContain('is not UTF-8 (ref: refs/heads/main)')
  })

  test('declines what git’s own checks do', async () => {
    const world = await newRepo()
    const { git } = world
    const blob = await git('hash-object', '-w', 'README.md').catch(() =>
      git('hash-object', '-w', '.gitattributes'),
    )
    const tree = temporaryDirectory()
    writeFileSync(
      join(tree, 'tree'),
      Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]),
    )
    const treeId = await git('hash-object', '-t', 'tree', '-w', '--literally', join(tree, 'tree'))
    const id = await git('commit-tree', treeId, '-m', 'Harm')
    const said = await expectRefused(world, () => git('push', 'origin', `${id}:refs/heads/harm`))
    expect(said).toMatch(/hasDotgit/)
    expect(said).toContain('(unpacker error)')
  })

  test('takes from a clone what the API took, whatever can be checked out', async () => {
    const { name } = await newRepo()
    const long = `${'n'.repeat(300)}.txt`
    const lines = [
      { key: 'header', value: { summary: 'Add' } },
      { key: 'file', value: { path: long, content: 'x' } },
      {
        key: 'file',
        value: { path: '.gitmodules', content: '[submodule "x"]\n\tpath = x\n\turl = ../x\n' },
      },
      { key: 'file', value: { path: 'a/.gitattributes', content: `${'b'.repeat(2047)}\n` } },
    ]
    const committed = await fetch(`${sandbox.url}/api/models/${name}/commit/main`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer hf_sandbox_bob',
        'content-type': 'application/x-ndjson',
      },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    expect(committed.status).toBe(200)
    const from = addressFor('bob', sandbox.url, `/${name}`)
    // Few disks have such a name: git says so, and the sandbox has nothing to do with it.
    expect(await refusalOf(cloneRepo(from))).toMatch(/name too long/i)
    const { git } = await cloneRepo(from, '--no-checkout')
    expect((await git('ls-tree', '--name-only', 'HEAD')).split('\n')).toContain(long)
    const other = await newRepo()
    const to = addressFor('bob', sandbox.url, `/${other.name}`)
    await git('push', '-q', to, 'HEAD:refs/heads/copy')
    expect((await headsOf(other))['copy']).toBe(await git('rev-parse', 'HEAD'))
  })

  test('declines what nobody could list, or would have to hold in memory', async () => {
    const world = await newRepo()
    const { git, folder } = world
    const file = join(folder, 'input')
    const write = async (kind: string, content: string | Buffer) => {
      writeFileSync(file, content)
      return git('hash-object', '-w', '-t', kind, file)
    }
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
    const blob = await write('blob', 'x')
    const nested = async (depth: number, names: readonly string[]) => {
      let [mode, id] = ['100644', blob]
      for (let level = 0; level < depth; level++) {
        id = await write('tree', Buffer.concat(names.map((name) => entry(mode, name, id))))
        mode = '40000'
      }
      return id
    }
    const push = async (treeId: string, message = 'Harm') => {
      writeFileSync(file, message)
      const id = await git('commit-tree', treeId, '-F', file)
      return expectRefused(world, () => git('push', 'origin', `${id}:refs/heads/harm`))
    }
    const digits = Array.from({ length: 10 }, (_, digit) => String(digit))
    expect(await push(await nested(7, digits))).toContain(
      'it has more than 250000 files and folders (ref: refs/heads/harm)',
    )
    expect(await push(await nested(17, ['n'.repeat(250)]))).toContain(
      'it has paths of more than 4096 bytes',
    )
    expect(await push(await nested(1, ['a']), 'm'.repeat(1024 * 1024))).toMatch(
      /it has 1048\d+ bytes, and a commit may have 1048576/,
    )
    const id = await git('commit-tree', await nested(16, ['n'.repeat(250)]), '-m', 'Fits')
    await git('push', '-q', 'origin', `${id}:refs/heads/fits`)
  })

  /** @param pack in full */
  async function sendPack(world: World, command: string, pack: Buffer): Promise<string> {
    const line = `${command}\0report-status`
    const answer = await fetch(`${sandbox.url}/${world.name}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer hf_sandbox_bob',
        'content-type': 'application/x-git-receive-pack-request',
      },
      body: Buffer.concat([
        Buffer.from(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`),
        pack,
      ]),
    })
    expect(answer.status).toBe(200)
    return answer.text()
  }

  test('takes no memory for what a few bytes say that they stand for', async () => {
    const world = await newRepo()
    const base = createHash('sha1').update('blob 1\0x').digest()
    // 300 MiB out of one byte: each seven bits a byte, the lowest first.
    const difference = Buffer.from([1, 0x80, 0x80, 0x80, 0x96, 1])
    const objects = [
      Buffer.concat([Buffer.of(0x31), deflateSync('x')]),
      Buffer.concat([Buffer.of(0x76), base, deflateSync(difference)]),
    ]
    const pack = Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\x02'), ...objects])
    const whole = Buffer.concat([pack, createHash('sha1').update(pack).digest()])
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x`
    expect(await sendPack(world, command, whole)).toMatch(
      /unpack .*attempting to allocate \d+ over limit 67108864/,
    )
    expect(events).toEqual([])
  })

  const empty = Buffer.from('PACK\0\0\0\x02\0\0\0\0')
  test.each([
    ['is garbage', (pack: Buffer) => Buffer.from(pack).fill(7, 12), 'unpacker error'],
    ['breaks off', (pack: Buffer) => pack.subarray(0, -30), 'unpacker error'],
    ['is missing', () => Buffer.of(), 'unpacker error'],
    ['refers to what it lacks', (_: Buffer, alone: Buffer) => alone, 'unpacker error'],
    [
      'lacks all',
      () => Buffer.concat([empty, createHash('sha1').update(empty).digest()]),
      'missing necessary objects',
    ],
  ])('keeps nothing of a pack that %s', async (_, damage, said) => {
    const world = await newRepo()
    const before = await world.git('rev-parse', 'HEAD')
    const id = await commit(world, 'new', randomBytes(2000))
    const packed = (input: string, ...flags: string[]) =>
      execFileSync('git', ['-C', world.folder, 'pack-objects', '-q', '--stdout', ...flags], {
        input,
        stdio: 'pipe',
      })
    const pack = packed(`${id}\n^${before}\n`, '--revs')
    const command = `${before} ${id} refs/heads/main`
    const report = await sendPack(world, command, damage(pack, packed(`${id}\n`)))
    expect(report).toContain(`ng refs/heads/main ${said}\n`)
    expect(await headsOf(world)).toEqual({ main: before })
    expect(events).toEqual([])
    expect(await refusalOf(world.git('push'))).toBeUndefined()
  })

  const revoked = [
    'its token is revoked',
    ({ token }: Sent) => {
      revokeAccessToken(sandbox.deps, token, 'it has leaked')
    },
    'Invalid credentials in Authorization header',
  ] as const
  const deleted = [
    'the repo is deleted',
    ({ repo }: Sent) => {
      deleteRepo(sandbox.deps, { repo })
    },
    'Repository not found',
  ] as const
  const noRight = 'Committing, branching and tagging needs the write right'
  test.each([
    ['comes', ...revoked],
    ['is taken', ...revoked],
    ['comes', ...deleted],
    ['is taken', ...deleted],
    ['comes', 'its token expires', () => sandbox.deps.clock.advance(60_000), revoked[2]],
    [
      'comes',
      'its user loses the right',
      ({ repo }: Sent) => {
        const { organizations } = sandbox.deps.state
        const acme = organizations.get(repo.ownerId)
        if (acme === undefined) throw new Error('the fixtures lack acme')
        organizations.put({ ...acme, members: [] })
        onTestFinished(() => void organizations.put(acme))
      },
      noRight,
    ],
    [
      'comes',
      'the repo goes elsewhere',
      ({ repo }: Sent) => {
        moveRepo(sandbox.deps, { repo, toName: `alice/${repo.name.slice(5)}` })
      },
      noRight,
    ],
  ] as const)('that %s when %s moves nothing', async (moment, what, happen, said) => {
    const world = await newRepo()
    const { deps } = sandbox
    const { state, objects, clock } = deps
    const repo = [...state.repos.values()].find(({ name }) => name === world.name)
    const bob = state.users.find('name', 'bob')
    if (repo === undefined || bob === undefined) throw new Error('the fixtures lack bob')
    const expiresAt = clock.now() + 60_000
    const secret = mintUserToken({ state, deps, clock }, bob, { expiresAt })
    const token = state.tokens.find('token', secret)
    if (token === undefined) throw new Error('there is no token')
    const head = await commit(world, 'a')
    const store = objects.of(repo)
    const act = () => {
      happen({ repo, token })
      events.length = 0
    }
    // Before the pack is read, or when its objects are there and nothing but the refs is left.
    if (moment === 'comes') {
      const spy = vi.spyOn(objects, 'temporary').mockImplementation(() => {
        spy.mockRestore()
        act()
        return objects.temporary()
      })
    } else {
      const spy = vi.spyOn(store, 'takeLoose').mockImplementation(async (folder) => {
        spy.mockRestore()
        await store.takeLoose(folder)
        act()
      })
    }
    const remote = `${sandbox.url.replace('//', `//bob:${secret}@`)}/${world.name}`
    const text = await refusalOf(world.git('push', remote, 'main'))
    expect(text).toContain(`! [remote rejected] main -> main (${said}`)
    expect(events).toEqual([])
    expect(state.repos.get(repo.id)?.refs).toEqual(what === deleted[0] ? undefined : repo.refs)
    expect(store.has(head)).toBe(moment === 'is taken')
  })

  test('goes to pull requests of one’s own, and of others by those who may write', async () => {
    const world = await newRepo()
    const { name, git } = world
    const { deps } = sandbox
    const { repos, discussions, discussionEvents } = deps.state
    const repo = [...repos.values()].find((each) => each.name === name)
    const actorId = deps.state.users.find('name', 'dave')?.id
    if (repo === undefined || actorId === undefined) throw new Error('the fixtures lack dave')
    openPullRequest(deps, { repo, title: 'Some change', actorId })
    const dave = await cloneRepo(addressFor('dave', sandbox.url, `/${name}`))
    await commit({ ...world, ...dave }, 'one')
    events.length = 0
    expect(await expectRefused(world, () => dave.git('push', 'origin', 'main'))).toContain(
      'Committing, branching and tagging needs the write right',
    )
    const head = await commit({ ...world, ...dave }, 'two')
    await dave.git('push', '-q', 'origin', 'HEAD:refs/pr/1')
    expect(updates()).toMatchObject([{ updatedRefs: [{ ref: 'refs/pr/1', newSha: head }] }])
    const pull = discussions.find('number', `${repo.id}/1`)
    const subjects = [...discussionEvents.values()].flatMap((event) =>
      event.discussionId === pull?.id && event.type === 'commit' ? [event.subject] : [],
    )
    expect(subjects).toEqual(['Add one', 'Add two'])
    await git('fetch', '-q', 'origin', 'refs/pr/1')
    await git('checkout', '-q', 'FETCH_HEAD')
    await commit(world, 'three')
    await git('push', '-q', 'origin', 'HEAD:refs/pr/1')
    expect(await refusalOf(git('push', 'origin', ':refs/pr/1'))).toContain('cannot be deleted')
    if (pull !== undefined) discussions.put({ ...pull, status: 'closed' })
    await commit(world, 'four')
    expect(await refusalOf(git('push', 'origin', 'HEAD:refs/pr/1'))).toContain(
      'Pull request #1 is closed',
    )
  })

  test('follows a repo to its present name', async () => {
    const world = await newRepo()
    const toRepo = `${world.name}-moved`
    await ask('/api/repos/move', { fromRepo: world.name, toRepo, type: 'model' }).catch(
      () => undefined,
    )
    const head = await commit(world, 'a')
    await world.git('push', '-q')
    expect(await headsOf({ ...world, name: toRepo })).toEqual({ main: head })
  })
})

describe.skipIf(!hasGit)('git push to a sandbox that keeps its state', () => {
  test('is there after a restart, in a repo that git finds whole', async () => {
    // Git has lists of folders, in which this is no easy name.
    const data = join(temporaryDirectory(), process.platform === 'win32' ? 'a;b ü' : 'a:b "ü')
    const first = sandbox
    sandbox = await start(data)
    onTestFinished(async () => {
      await sandbox.close()
      sandbox = first
    })
    const world = await newRepo()
    await commit(world, 'dir/a')
    await world.git('tag', '-a', 'v1', '-m', 'One')
    await world.git('push', '-q', 'origin', 'main', 'v1')
    const unfinished = () => readdirSync(join(data, 'repos', 'unfinished'))
    // Somebody who hangs up in the midst of a pack.
    const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x\0report-status`
    const body = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000PACK\0\0\0\x02\0\0\0\x01`
    const leaving = request(`${sandbox.url}/${world.name}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer hf_sandbox_bob',
        'content-type': 'application/x-git-receive-pack-request',
      },
    })
    leaving.on('error', () => undefined)
    leaving.write(body)
    await expect.poll(unfinished).toHaveLength(1)
    leaving.destroy()
    await expect.poll(unfinished).toEqual([])
    const before = await headsOf(world)
    await sandbox.close()
    sandbox = await start(data)
    expect(await headsOf(world)).toEqual(before)
    const { git } = await cloneRepo(`${sandbox.url}/${world.name}`)
    await git('fsck', '--full', '--strict')
    for (const name of readdirSync(join(data, 'repos')).filter((each) => each.endsWith('.git'))) {
      await gitIn(join(data, 'repos', name))('fsck', '--full', '--strict', '--no-dangling')
    }
  })
})
