import { createHash, randomBytes } from 'node:crypto'
import { partBytes } from '../../server/hub/uploads/lfs-batch.ts'
import type { Losses } from './kill-while-writing.ts'
import type { KilledSandbox } from './killed-sandbox.ts'
import { untilWorked } from './until-worked.ts'
import { uploadByXet } from './xet-files.ts'

const api = '/api/datasets/acme/corpus'
const files = '/datasets/acme/corpus'
/** Bytes of a commit: more than arrives at once. */
const lineBytes = 300_000
/** So much is acknowledged before each kill, however busy the machine is. */
const leastOfEach = 7

interface Upload {
  oid: string
  size: number
}

interface LfsAction {
  href: string
  header?: Record<string, string>
}

type LfsActions = Partial<Record<'upload' | 'verify' | 'download', LfsAction>>

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * Kills a sandbox at random moments while files come as lines of commits, by Git LFS, at once and in parts, and by Xet. After each
 * restart all that was acknowledged is looked for, and whatever the newest commit names has to be there and whole.
 */
export async function killWhileUploading(sandbox: KilledSandbox, kills: number): Promise<Losses> {
  /** The hash of what each path has, by commit. */
  const commits = new Map<string, { path: string; hash: string }>()
  const uploads = new Map<string, Upload>()
  const lost = new Set<string>()
  await sandbox.start()
  const { access_token: token } = await sandbox.call<{ access_token: string }>('POST', 'tokens', {
    user: 'alice',
    role: 'write',
  })
  let number = 0

  async function request(address: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(address, init)
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const post = (path: string, type: string, body: string) =>
    request(sandbox.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    })

  async function batch(operation: string, object: Upload): Promise<LfsActions | undefined> {
    const body = JSON.stringify({ operation, transfers: ['basic', 'multipart'], objects: [object] })
    const type = 'application/vnd.git-lfs+json'
    const answer = await post(`${files}.git/info/lfs/objects/batch`, type, body)
    const { objects } = (await answer.json()) as { objects: { actions?: LfsActions }[] }
    return objects[0]?.actions
  }

  async function commit(key: string, path: string, hash: string, value: object): Promise<void> {
    const lines = [
      { key: 'header', value: { summary: `Add ${path}` } },
      { key, value: { path, ...value } },
    ]
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const answer = await post(`${api}/commit/main`, 'application/x-ndjson', body)
    const { commitOid } = (await answer.json()) as { commitOid: string }
    commits.set(commitOid, { path, hash })
  }

  async function commitLine(): Promise<void> {
    // A text: of other files of that size the hub takes none within a commit.
    const bytes = Buffer.from(randomBytes(lineBytes / 2).toString('hex'))
    const content = bytes.toString('base64')
    await commit('file', `lines/${++number}`, hashOf(bytes), { content, encoding: 'base64' })
  }

  async function upload(size: number): Promise<void> {
    const bytes = randomBytes(size)
    const object = { oid: hashOf(bytes), size }
    const up = (await batch('upload', object))?.upload
    if (up === undefined) throw new Error('there is no address for the upload')
    const { chunk_size: chunkSize, ...parts } = up.header ?? {}
    if (chunkSize === undefined) await request(up.href, { method: 'PUT', body: bytes })
    else {
      const sent: { partNumber: number; etag: string | null }[] = []
      for (const [part, href] of Object.entries(parts)) {
        const start = (Number(part) - 1) * Number(chunkSize)
        const body = bytes.subarray(start, start + Number(chunkSize))
        const { headers } = await request(href, { method: 'PUT', body })
        sent.push({ partNumber: Number(part), etag: headers.get('etag') })
      }
      const body = JSON.stringify({ oid: object.oid, parts: sent })
      const headers = { 'content-type': 'application/vnd.git-lfs+json' }
      await request(up.href, { method: 'POST', headers, body })
    }
    uploads.set(object.oid, object)
    const { oid } = object
    await commit('lfsFile', `large/${++number}`, oid, { algo: 'sha256', oid, size })
  }

  async function uploadChunks(): Promise<void> {
    const bytes = randomBytes(lineBytes)
    const object = { oid: hashOf(bytes), size: bytes.length }
    const path = `chunks/${++number}`
    const repo = { type: 'dataset', name: 'acme/corpus', path } as const
    await uploadByXet(sandbox.url, bytes, { ...repo, accessToken: token, isNew: false })
    uploads.set(object.oid, object)
  }

  for (let kill = 0; kill < kills && lost.size === 0; kill++) {
    const { url } = sandbox
    const untilKilled = async (write: () => Promise<void>) => {
      for (;;) {
        try {
          await write()
        } catch (error) {
          // The last one is without an answer, and counts for nothing.
          if (error instanceof TypeError && sandbox.url === url) return
          throw error
        }
      }
    }
    const running = [
      untilKilled(commitLine),
      untilKilled(commitLine),
      untilKilled(() => upload(lineBytes)),
      untilKilled(uploadChunks),
      untilKilled(() => upload(partBytes + lineBytes)),
    ]
    const count = () => commits.size + uploads.size
    await untilWorked(400 + Math.random() * 300, { count, least: leastOfEach, workers: running })
    await sandbox.kill()
    await Promise.all(running)
    await sandbox.start()
    await findLost()
  }
  await sandbox.kill()
  return { acknowledged: commits.size + uploads.size, lost: [...lost] }

  async function findLost(): Promise<void> {
    for (const object of uploads.values()) {
      const down = (await batch('download', object))?.download
      if (down === undefined) lost.add(`upload ${object.oid}`)
      else await note(`upload ${object.oid}`, down.href, object.oid)
    }
    for (const [id, { path, hash }] of commits) {
      await note(`commit ${id}`, `${sandbox.url}${files}/resolve/${id}/${path}`, hash)
    }
    const named = `${sandbox.url}${api}/tree/main?recursive=true`
    const answer = await fetch(named)
    if (!answer.ok) return void lost.add(`commit main: ${answer.status}`)
    for (const entry of (await answer.json()) as { path: string; lfs?: { oid: string } }[]) {
      if (entry.lfs === undefined) continue
      await note(
        `pointer ${entry.path}`,
        `${sandbox.url}${files}/resolve/main/${entry.path}`,
        entry.lfs.oid,
      )
    }
  }

  async function note(what: string, address: string, hash: string): Promise<void> {
    const found = await fetch(address).then(
      async (answer) =>
        answer.ok ? hashOf(Buffer.from(await answer.arrayBuffer())) : answer.status,
      (error: unknown) => String(error),
    )
    if (found !== hash) lost.add(`${what}: ${found}`)
  }
}
