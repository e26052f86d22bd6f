import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { cloneRepo, hasGit, refusalOf } from '../helpers/git-client.ts'
import { KilledSandbox } from '../helpers/killed-sandbox.ts'
import { hasProgram } from '../helpers/programs.ts'
import { installPythonClient } from '../helpers/python-client.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { noise, uploadByXet } from '../helpers/xet-files.ts'

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

/** A built sandbox whose data folder is a small disk. */
async function startOnSmallDisk() {
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
  return {
    sandbox,
    token,
    disk,
    fill: () => {
      writeFileSync(filler, '')
      for (const bytes of [65_536, 4096, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes))
        } catch {
          // The disk is full.
        }
      }
    },
    free: () => rmSync(filler),
    /** @param path of the sandbox, or a URL that needs no token */
    ask: async (
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
    },
  }
}

const unfinished = (disk: string) =>
  ['repos/unfinished', 'repos/lfs/unfinished']
    .map((each) => join(disk, each))
    .flatMap((each) => (existsSync(each) ? readdirSync(each) : []))
const isFull = (at: string) =>
  expect.stringMatching(new RegExp(`${at}.*: the disk is full`)) as string

beforeAll(
  () => prepare(fileURLToPath(new URL('../..', import.meta.url)), ['library', 'server']),
  timeout,
)

// Not every system lets its users mount something.
describe.skipIf(!hasSmallDisk || !hasGit)('uploads to a full disk', { timeout }, () => {
  test('are refused in words, nothing of them is kept, and go on when there is room again', async () => {
    const { sandbox, token, ask, disk, fill, free } = await startOnSmallDisk()
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
    expect(unfinished(disk)).toEqual([])

    free()
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
  test('by Xet are refused in words, nothing of them is kept, and go on when there is room again', async () => {
    // The Hub's JavaScript client prepares the bodies in another sandbox.
    const content = noise(500_000)
    const other = await startSandbox()
    onTestFinished(() => other.close())
    const sent = await uploadByXet(other.url, content, {
      type: 'dataset',
      name: 'acme/corpus',
      isNew: false,
    })
    const { sandbox, token, disk, fill, free } = await startOnSmallDisk()
    const granted = await fetch(`${sandbox.url}${api}/xet-write-token/main`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { casUrl, accessToken } = (await granted.json()) as Record<
      'casUrl' | 'accessToken',
      string
    >
    const send = async (path: string, body: Buffer) => {
      const answer = await fetch(casUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}` },
        body: Uint8Array.from(body),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const sendXorbs = () =>
      Promise.all(sent.xorbs.map(({ hash, body }) => send(`/v1/xorbs/default/${hash}`, body)))
    /** Names of stored contents of a kind. */
    const stored = (kind: 'chunked' | 'xorbs') => {
      const folder = join(disk, 'repos/lfs', kind)
      if (!existsSync(folder)) return []
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile())
    }

    fill()
    for (const { status, text } of await sendXorbs()) {
      expect([status, text]).toEqual([500, isFull('repos/lfs')])
    }
    expect([unfinished(disk), stored('xorbs')]).toEqual([[], []])
    free()
    for (const { status } of await sendXorbs()) expect(status).toBe(200)

    fill()
    const shard = await send('/v1/shards', sent.shard)
    expect(shard).toEqual({ status: 500, text: isFull('repos/lfs') })
    // The status of this one is sent before its files are stored.
    const { status, text } = await send('/v2/shards', sent.shard)
    expect([status, JSON.parse(text.trim().split('\n').at(-1) ?? '')]).toEqual([
      200,
      { type: 'error', message: isFull('repos/lfs') },
    ])
    expect([unfinished(disk), stored('chunked')]).toEqual([[], []])
    free()
    expect(await send('/v2/shards', sent.shard)).toMatchObject({ status: 200 })
    expect(stored('chunked').length).toBe(1)
  })

  test('of hf_xet end in words of the client, and go on when there is room again', async ({
    skip,
  }) => {
    const { interpreter, obstacle } = await installPythonClient('2.4.0', ['hf_xet==1.8.0'])
    skip(obstacle !== undefined, obstacle)
    const { sandbox, token, disk, fill, free } = await startOnSmallDisk()
    const home = temporaryDirectory()
    const file = join(home, 'w.bin')
    writeFileSync(file, randomBytes(500_000))
    const script = `
from huggingface_hub import HfApi
HfApi().upload_file(path_or_fileobj=${JSON.stringify(file)}, path_in_repo="w.bin", repo_id="acme/corpus", repo_type="dataset")
`
    const upload = () =>
      promisify(execFile)(interpreter, ['-c', script], {
        env: {
          ...process.env,
          HF_ENDPOINT: sandbox.url,
          HF_TOKEN: token,
          HF_HOME: home,
          // It tries five times, for minutes.
          HF_XET_CLIENT_RETRY_MAX_ATTEMPTS: '0',
        },
      })
    const listed = async () =>
      (await (await fetch(`${sandbox.url}${api}/tree/main`)).json()) as { path: string }[]
    const before = await listed()
    fill()
    await expect(upload()).rejects.toThrow(/500 Internal Server Error/)
    expect([unfinished(disk), await listed()]).toEqual([[], before])
    free()
    await upload()
    expect((await listed()).map(({ path }) => path)).toContain('w.bin')
  }, 240_000)
})
