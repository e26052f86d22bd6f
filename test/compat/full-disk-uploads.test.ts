import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { cloneRepo, hasGit, refusalOf } from '../helpers/git-client.ts'
import { KilledSandbox } from '../helpers/killed-sandbox.ts'
import { hasProgram } from '../helpers/programs.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const timeout = 60_000
const api = '/api/datasets/acme/corpus'
/** Runs what is behind it with a small disk of its own, which is gone with it and seen by nobody else. */
const onSmallDisk = (folder: string) => [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=6m,mode=700 tmpfs "$0" && exec "$@"',
  folder,
]
const [unshare = '', ...probe] = onSmallDisk('/mnt')
const hasSmallDisk = hasProgram(unshare, ...probe, 'true')

beforeAll(
  () => prepare(fileURLToPath(new URL('../..', import.meta.url)), ['library', 'server']),
  timeout,
)

// Not every system lets its users mount something.
describe.skipIf(!hasSmallDisk || !hasGit)('uploads to a full disk', { timeout }, () => {
  test('are refused in words, nothing of them is kept, and go on when there is room again', async () => {
    const directory = temporaryDirectory()
    const data = join(directory, 'data')
    mkdirSync(data)
    const sandbox = new KilledSandbox({ directory, within: onSmallDisk(data) })
    await sandbox.start()
    onTestFinished(() => sandbox.kill())
    const { access_token: token } = await sandbox.call<{ access_token: string }>('POST', 'tokens', {
      user: 'alice',
      role: 'write',
    })
    // Only from the sandbox's own side is the disk to be seen.
    const disk = join(`/proc/${sandbox.pid}/root`, data)
    const filler = join(disk, 'filler')
    const fill = () => {
      writeFileSync(filler, '')
      for (const bytes of [65_536, 4096, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes))
        } catch {
          // The disk is full.
        }
      }
    }
    const ask = async (
      method: string,
      path: string,
      type: string,
      body: string | Uint8Array<ArrayBuffer>,
    ) => {
      const answer = await fetch(path.startsWith('http') ? path : sandbox.url + path, {
        method,
        headers: {
          'content-type': type,
          ...(!path.startsWith('http') && { authorization: `Bearer ${token}` }),
        },
        body,
      })
      return { status: answer.status, text: await answer.text() }
    }
    const commit = (path: string, content: string) =>
      ask(
        'POST',
        `${api}/commit/main`,
        'application/x-ndjson',
        [
          { key: 'header', value: { summary: `Add ${path}` } },
          { key: 'file', value: { path, content } },
        ]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      )
    const head = async () =>
      ((await (await fetch(`${sandbox.url}${api}`)).json()) as { sha: string }).sha
    const addressOf = async (bytes: Buffer) => {
      const oid = createHash('sha256').update(bytes).digest('hex')
      const { text } = await ask(
        'POST',
        '/datasets/acme/corpus.git/info/lfs/objects/batch',
        'application/vnd.git-lfs+json',
        JSON.stringify({ operation: 'upload', objects: [{ oid, size: bytes.length }] }),
      )
      return (
        (JSON.parse(text) as { objects: { actions: { upload: { href: string } } }[] }).objects[0]
          ?.actions.upload.href ?? ''
      )
    }
    expect(await commit('before', 'before')).toMatchObject({ status: 200 })
    const { git, folder } = await cloneRepo(
      `${sandbox.url.replace('//', `//alice:${token}@`)}/datasets/acme/corpus`,
    )
    writeFileSync(join(folder, 'pushed'), randomBytes(100_000))
    await git('add', '-A')
    await git('commit', '-qm', 'Push')
    const bytes = randomBytes(500_000)
    const before = await head()
    const address = await addressOf(bytes)

    const unfinished = () =>
      ['repos/unfinished', 'repos/lfs/unfinished']
        .map((each) => join(disk, each))
        .flatMap((each) => (existsSync(each) ? readdirSync(each) : []))
    const isFull = (at: string) =>
      expect.stringMatching(new RegExp(`${at}.*: the disk is full`)) as string

    fill()
    const small = await commit('refused', 'refused')
    expect(small).toEqual({ status: 500, text: isFull('repos/[0-9a-f]{24}.git') })
    const large = await commit('refused', randomBytes(400_000).toString('hex'))
    expect(large).toEqual({ status: 500, text: isFull('repos') })
    const upload = await ask('PUT', address, 'application/octet-stream', bytes)
    expect(upload).toEqual({ status: 500, text: isFull('repos/lfs') })
    const refused = await refusalOf(git('push', '-q', 'origin', 'HEAD:main'))
    expect(refused).toMatch(/the disk is full/)
    expect(refused).toContain('[remote rejected] HEAD -> main (unpacker error)')
    expect(await head()).toBe(before)
    expect(unfinished()).toEqual([])

    rmSync(filler)
    await git('push', '-q', 'origin', 'HEAD:main')
    const pushed = await git('rev-parse', 'HEAD')
    expect(await ask('PUT', address, 'application/octet-stream', bytes)).toMatchObject({
      status: 200,
    })
    const after = await commit('after', 'after')
    expect(after).toMatchObject({ status: 200 })
    const history = (await (await fetch(`${sandbox.url}${api}/commits/main`)).json()) as {
      id: string
    }[]
    expect(history.slice(1, 3).map(({ id }) => id)).toEqual([pushed, before])
  })
})
