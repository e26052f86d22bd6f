import { createRepo, downloadFile, listFiles } from '@huggingface/hub'
import { describe, expect, test } from 'vitest'
import type { RequestItem, RequestList } from '../../server/contract/control-requests.ts'
import { groupBy } from '../../server/core/group-by.ts'
import { startSandbox } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { lacksContent, lfsLine, sha256Of } from '../helpers/large-files.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'
import { noise, type SentByXet, storageOf, uploadByXet, xetHashAt } from '../helpers/xet-files.ts'

const accessToken = 'hf_sandbox_alice'
const repo = { type: 'model', name: 'alice/chunks' } as const
const api = `/api/models/${repo.name}`

const sandbox = sharedSandbox()
const alice = callerAt(sandbox, accessToken)
const bob = callerAt(sandbox, 'hf_sandbox_bob')
const anyone = callerAt(sandbox)

/** Numbers as a model has them: their bytes are sorted before they are compressed. */
const weights = Buffer.from(
  Float32Array.from({ length: 200_000 }, (_, index) => Math.sin(index) / 100).buffer,
)

async function read(path = 'w.bin', options: { xet?: boolean } = {}): Promise<Blob> {
  const blob = await downloadFile({ repo, accessToken, hubUrl: sandbox.url, path, ...options })
  if (blob === null) throw new Error(`${path} is missing`)
  return blob
}
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

const hashOfFile = () => xetHashAt(anyone, `/${repo.name}/resolve/main/w.bin`)
const storage = (right: 'read' | 'write' = 'write', name: string = repo.name, user = alice) =>
  storageOf(user, name, right)
const requests = async (query: string) =>
  (await anyone.get<RequestList>(`/_sandbox/api/requests?${query}`)).body.items

const bytesOfAll = (requests: readonly RequestItem[]) =>
  requests.reduce((sum, { transfer }) => sum + (transfer?.bytes ?? 0), 0)

describe('a file that came by Xet', () => {
  test.each([
    ['of one chunk', Buffer.from('small')],
    ['that cannot be compressed', noise(700_000)],
    ['of text', Buffer.from('once upon a time, '.repeat(40_000))],
    ['of numbers', weights],
  ])('%s is the same by Xet, by URL and by Git LFS', async (_name, content) => {
    await uploadByXet(sandbox.url, content)
    const byXet = await read('w.bin', { xet: true })
    expect(byXet.constructor.name).toBe('XetBlob')
    expect(sha256Of(await bytesOf(byXet))).toBe(sha256Of(content))
    expect(sha256Of(await bytesOf(await read('w.bin', { xet: false })))).toBe(sha256Of(content))
    const pointer = await anyone.get(`/${repo.name}/raw/main/w.bin`)
    expect(pointer.body).toContain(`oid sha256:${sha256Of(content)}\nsize ${content.length}\n`)
  })

  test('is read in parts that begin and end anywhere', async () => {
    const content = noise(500_000)
    await uploadByXet(sandbox.url, content)
    const file = await read('w.bin', { xet: true })
    for (const [start, end] of [
      [0, 1],
      [123_456, 123_457],
      [99_999, 400_001],
      [499_999, 500_000],
    ]) {
      const part = await bytesOf(file.slice(start, end))
      expect(sha256Of(part), `${start} to ${end}`).toBe(sha256Of(content.subarray(start, end)))
    }
  })

  test('is listed with the hash of its chunks, and announced at its URL', async () => {
    await uploadByXet(sandbox.url, noise(100_000))
    const files: { path: string; xetHash?: string }[] = []
    for await (const file of listFiles({ repo, accessToken, hubUrl: sandbox.url })) files.push(file)
    const hash = files.find(({ path }) => path === 'w.bin')?.xetHash ?? ''
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const answer = await anyone.get(`/${repo.name}/resolve/main/w.bin`)
    expect(answer.status).toBe(302)
    expect(answer.headers['x-xet-hash']).toBe(hash)
    const [, refresh = ''] = /<([^>]+)>; rel="xet-auth"/.exec(String(answer.headers['link'])) ?? []
    const { body } = await anyone.get<{ casUrl: string; accessToken: string }>(refresh)
    const head = await callerAt({ url: body.casUrl }, body.accessToken).head(`/v1/files/${hash}`)
    expect([head.status, head.headers['content-length']]).toEqual([200, '100000'])
  })

  test('sends only what has changed when a part of it changes', async () => {
    const content = noise(3_000_000)
    const first = await uploadByXet(sandbox.url, content)
    const changed = Buffer.from(content)
    changed.write('changed', 1_500_000)
    const second = await uploadByXet(sandbox.url, changed, { isNew: false })
    const bytes = ({ xorbs }: SentByXet) => xorbs.reduce((sum, { body }) => sum + body.length, 0)
    expect(bytes(first)).toBeGreaterThan(3_000_000)
    expect(bytes(second)).toBeLessThan(600_000)
    expect(sha256Of(await bytesOf(await read()))).toBe(sha256Of(changed))
  })
})

describe('a copy of a file that came by Xet', () => {
  const copy = { type: 'model', name: 'alice/copy' } as const
  const changes: [string, () => Promise<{ status: number }>, seed: number][] = [
    ['is private', () => alice.put(`${api}/settings`, { visibility: 'private' }), 1],
    ['is deleted', () => alice.delete('/api/repos/delete', { name: 'chunks', type: 'model' }), 2],
  ]

  test.each(changes)('in another repo stays when its source %s', async (_name, change, seed) => {
    // Of the same commit, the client would use the token from before the reset.
    const content = noise(400_000, seed)
    await uploadByXet(sandbox.url, content)
    await createRepo({ repo: copy, accessToken, hubUrl: sandbox.url })
    const oid = sha256Of(content)
    const copied = await alice.post(`${api}/lfs-files/duplicate`, {
      target: copy,
      files: [{ sha256: oid, filename: 'w.bin' }],
    })
    expect(copied.body).toMatchObject({ succeeded: 1 })
    const committed = await alice.postLines(`/api/models/${copy.name}/commit/main`, [
      { key: 'header', value: { summary: 'Copy' } },
      lfsLine('copy.bin', { oid, size: content.length }),
    ])
    expect(committed.status).toBe(200)
    expect((await change()).status).toBe(200)
    expect((await bob.get(api)).status).toBe(404)
    for (const xet of [true, false]) {
      const blob = await downloadFile({
        repo: copy,
        accessToken: 'hf_sandbox_bob',
        hubUrl: sandbox.url,
        path: 'copy.bin',
        xet,
      })
      if (blob === null) throw new Error('the copy is missing')
      expect(blob.constructor.name === 'XetBlob').toBe(xet)
      expect(sha256Of(await bytesOf(blob))).toBe(oid)
    }
  })
})

describe('a token for the Xet storage', () => {
  const shard = '/v1/shards'

  test('expires after a quarter of an hour on the sandbox clock', async () => {
    await sandbox.clock.freeze()
    await uploadByXet(sandbox.url, noise(1000))
    const { body } = await alice.get<{ casUrl: string; accessToken: string; exp: number }>(
      `${api}/xet-read-token/main`,
    )
    const { now } = await sandbox.clock.read()
    expect(body.exp).toBe(Math.floor(Date.parse(now) / 1000) + 15 * 60)
    const look = () =>
      callerAt({ url: body.casUrl }, body.accessToken).head(`/v1/files/${'0'.repeat(64)}`)
    expect((await look()).status).toBe(404)
    await sandbox.clock.advance('16m')
    expect((await look()).status).toBe(401)
  })

  test('to read does not write', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const answer = await (await storage('read')).post(shard, Buffer.alloc(0))
    expect(answer.status).toBe(403)
  })

  test.each([undefined, 'hf_sandbox_alice', 'xet_sandbox_unknown'])('is no %s', async (token) => {
    await uploadByXet(sandbox.url, noise(1000))
    const path = `${api}/xet-read-token/main`
    const url = (await alice.get<{ casUrl: string }>(path)).body.casUrl
    expect((await callerAt({ url }, token).post(shard)).status).toBe(401)
  })

  test('stops with the access token that it was made with', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const { access_token: own } = await sandbox.tokens.mint({ user: 'alice', role: 'write' })
    const writing = await storage('write', repo.name, callerAt(sandbox, own))
    await sandbox.tokens.revoke(own)
    expect((await writing.post(shard, Buffer.alloc(0))).status).toBe(401)
  })

  test('is refused for what the caller may not do', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const statuses = async (right: string) =>
      Promise.all(
        [bob, anyone].map(
          async (user) => (await user.get(`${api}/xet-${right}-token/main`)).status,
        ),
      )
    expect(await statuses('write')).toEqual([403, 401])
    await alice.put(`${api}/settings`, { private: true })
    expect(await statuses('read')).toEqual([404, 401])
  })

  test('opens the files of its own repo alone', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const hash = await hashOfFile()
    await uploadByXet(sandbox.url, noise(1000, 2), { name: 'alice/others' })
    const looks = async (name: string) => {
      const reading = await storage('read', name)
      const paths = [`/v1/reconstructions/${hash}`, `/v2/reconstructions/${hash}`]
      const answers = await Promise.all(paths.map((path) => reading.get(path)))
      return answers.map(({ status }) => status)
    }
    expect(await looks(repo.name)).toEqual([200, 200])
    expect(await looks('alice/others')).toEqual([404, 404])
  })

  test('has another storage after a reset, whose chunks clients must not remember', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const urlOf = async () =>
      (await alice.get<{ casUrl: string }>(`${api}/xet-write-token/main`)).body.casUrl
    const [before, writing] = [await urlOf(), await storage()]
    await sandbox.reset()
    await uploadByXet(sandbox.url, noise(1000))
    expect(await urlOf()).not.toBe(before)
    expect((await writing.post(shard, Buffer.alloc(0))).status).toBe(401)
  })

  test('to read is valid after a reset, because clients keep it, as long as its holder may read', async () => {
    const content = noise(100_000)
    const sendAgain = async () => {
      await sandbox.reset()
      // The commit has the same id each time, and with it the URL by which the client keeps the token; not an expired one.
      await sandbox.clock.set('2100-01-01T00:00:00Z')
      await sandbox.clock.freeze()
      await uploadByXet(sandbox.url, content)
    }
    const readTokens = async () =>
      (await requests('limit=1000')).filter(({ path }) => path.includes('/xet-read-token/')).length
    await sendAgain()
    const tokenOf = async (user = alice) =>
      (await user.get<{ accessToken: string }>(`${api}/xet-read-token/main`)).body.accessToken
    const mine = await tokenOf()
    const { access_token: minted } = await sandbox.tokens.mint({ user: 'alice', role: 'read' })
    const ofMinted = await tokenOf(callerAt(sandbox, minted))
    expect(sha256Of(await bytesOf(await read('w.bin', { xet: true })))).toBe(sha256Of(content))

    await sendAgain()
    expect(sha256Of(await bytesOf(await read('w.bin', { xet: true })))).toBe(sha256Of(content))
    expect(await readTokens()).toBe(0)
    const { casUrl } = (await alice.get<{ casUrl: string }>(`${api}/xet-write-token/main`)).body
    const tree = await alice.get<{ path: string; xetHash: string }[]>(`${api}/tree/main`)
    const { xetHash } = tree.body.find(({ path }) => path === 'w.bin') ?? { xetHash: '' }
    const look = async (token: string) =>
      (await callerAt({ url: casUrl }, token).get(`/v1/reconstructions/${xetHash}`)).status
    expect(await look(mine)).toBe(200)
    // The token of the Hub that asked for it went with the reset.
    expect(await look(ofMinted)).toBe(401)
  })

  test('is for a revision that there is, to write for a branch', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    expect((await alice.post(`${api}/branch/a%2Fb`, {})).status).toBe(200)
    expect((await alice.post(`${api}/tag/main`, { tag: 'v1' })).status).toBe(200)
    const statuses = async (right: string) =>
      Promise.all(
        ['main', 'a%2Fb', 'v1', 'none'].map(
          async (name) => (await alice.get(`${api}/xet-${right}-token/${name}`)).status,
        ),
      )
    expect(await statuses('read')).toEqual([200, 200, 200, 404])
    expect(await statuses('write')).toEqual([200, 200, 404, 404])
  })

  test('for a pull request is given to those who may read', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    expect((await bob.get(`${api}/xet-write-token/None?create_pr=1`)).status).toBe(200)
  })
})

describe('a xorb or shard', () => {
  /** Changes a copy of some bytes. */
  const changed = (bytes: Buffer, change: (copy: Buffer) => Buffer | void) => {
    const copy = Buffer.from(bytes)
    return change(copy) ?? copy
  }
  const xorbMutants: [string, (copy: Buffer) => Buffer | void, string][] = [
    ['nothing', () => Buffer.alloc(0), 'it has no chunk'],
    ['half of it', (copy) => copy.subarray(0, copy.length / 2), 'it ends in a chunk'],
    ['one bit changed', (copy) => void copy.writeUInt8(copy.readUInt8(100) ^ 1, 100), 'the hash'],
    ['an unknown version', (copy) => void copy.writeUInt8(7, 0), 'the unknown version 7'],
    ['an unknown compression', (copy) => void copy.writeUInt8(9, 4), 'the unknown scheme 9'],
    ['a huge chunk', (copy) => void copy.writeUIntLE(0xff_ff_ff, 5, 3), '1 to 131072 bytes'],
    ['an empty chunk', (copy) => void copy.writeUIntLE(0, 5, 3), '1 to 131072 bytes'],
    ['another length', (copy) => void copy.writeUIntLE(5, 5, 3), 'two lengths'],
    ['a broken frame', (copy) => void copy.writeUInt8(1, 4), 'LZ4'],
  ]

  test.each(xorbMutants)('with %s is refused', async (_name, change, text) => {
    const sent = await uploadByXet(sandbox.url, noise(300_000))
    const { body = Buffer.alloc(0) } = sent.xorbs[0] ?? {}
    const hash = 'ab'.repeat(32)
    const answer = await sent.storage.post(`/v1/xorbs/default/${hash}`, changed(body, change))
    expect([answer.status, answer.bytes.toString()]).toEqual([400, expect.stringContaining(text)])
    const head = await sent.storage.head(`/v1/xorbs/default/${hash}`)
    expect(head.status).toBe(404)
  })

  test('under another hash is refused', async () => {
    const sent = await uploadByXet(sandbox.url, noise(1000))
    const { body = Buffer.alloc(0), hash } = sent.xorbs[0] ?? {}
    const answer = await sent.storage.post(`/v1/xorbs/default/${'ab'.repeat(32)}`, body)
    expect([answer.status, answer.bytes.toString()]).toEqual([
      400,
      expect.stringContaining(`${hash}`),
    ])
    const again = await sent.storage.post(`/v1/xorbs/default/${hash}`, body)
    expect(again.body).toEqual({ was_inserted: false })
  })

  test('of 300 million zero bytes in 100 KB is refused before it is unpacked', async () => {
    const sent = await uploadByXet(sandbox.url, noise(1000))
    // A chunk of 128 KiB: one literal, and a match that repeats it.
    const match = Buffer.concat([
      Buffer.from([0x1f, 0, 1, 0]),
      Buffer.alloc(513, 255),
      Buffer.from([237, 0]),
    ])
    const block = Buffer.concat([match, Buffer.from([0x10, 0])])
    const frame = Buffer.concat([
      Buffer.from('04224d186040820000000000', 'hex').subarray(0, 7),
      Buffer.from(Uint32Array.of(block.length).buffer),
      block,
      Buffer.alloc(4),
    ])
    const header = Buffer.alloc(8)
    header.writeUIntLE(frame.length, 1, 3)
    header.writeUInt8(1, 4)
    header.writeUIntLE(128 * 1024, 5, 3)
    const chunk = Buffer.concat([header, frame])
    const body = Buffer.concat(Array.from({ length: 2500 }, () => chunk))
    const answer = await sent.storage.post(`/v1/xorbs/default/${'ab'.repeat(32)}`, body)
    expect(answer.status).toBe(400)
    expect(answer.bytes.toString()).toMatch(/more than 67108864 bytes|Broken LZ4/)
  })

  // Where a shard of one file has what: header, then file, terms, their proofs, and its SHA-256.
  const at = {
    file: 48,
    flags: 80,
    count: 84,
    term: 96,
    bytes: 132,
    end: 140,
    proof: 144,
    oid: 192,
  }
  const shardMutants: [string, (copy: Buffer) => Buffer | void, string][] = [
    ['nothing', () => Buffer.alloc(0), 'it ends early'],
    ['another beginning', (copy) => void copy.write('Hello'), 'does not begin as a shard'],
    ['an unknown version', (copy) => void copy.writeUInt8(9, 32), 'the version 9'],
    ['half of it', (copy) => copy.subarray(0, 100), 'it ends early'],
    ['a billion terms', (copy) => void copy.writeUInt32LE(1e9, at.count), 'it ends early'],
    ['no proofs', (copy) => void copy.writeUInt32LE(0, at.flags), 'no verification entries'],
    ['another file hash', (copy) => void copy.writeUInt8(1, at.file), 'a file has the hash'],
    ['an unknown xorb', (copy) => void copy.writeUInt8(1, at.term), 'was not uploaded'],
    ['chunks that are not there', (copy) => void copy.writeUInt32LE(99, at.end), 'chunks, not 99'],
    ['a term without a chunk', (copy) => void copy.writeUInt32LE(0, at.end), 'the chunks 0 to 0'],
    ['another length', (copy) => void copy.writeUInt32LE(5, at.bytes), 'and 5 were announced'],
    ['another proof', (copy) => void copy.writeUInt8(1, at.proof), 'verification hash'],
    ['another SHA-256', (copy) => void copy.writeUInt8(1, at.oid), 'has the SHA-256'],
  ]

  test.each(shardMutants)('with %s is refused', async (_name, change, text) => {
    const content = noise(1000)
    const sent = await uploadByXet(sandbox.url, content)
    await uploadByXet(sandbox.url, noise(10, 7), { name: 'alice/others' })
    const others = await storage('write', 'alice/others')
    const isMissing = () => lacksContent(alice, '/alice/others', content)
    const bad = changed(sent.shard, change)
    const answer = await others.post('/v1/shards', bad)
    expect([answer.status, answer.bytes.toString()]).toEqual([400, expect.stringContaining(text)])
    // What can be parsed is refused once the response has begun.
    const answer2 = await others.post('/v2/shards', bad)
    const lastLine = answer2.bytes.toString().trim().split('\n').at(-1)
    expect(lastLine).toContain(text)
    expect(answer2.status === 400 || lastLine?.includes('"type":"error"')).toBe(true)
    expect(await isMissing()).toBe(true)
    // What was not changed is taken, and the repo then has the file.
    expect((await others.post('/v1/shards', sent.shard)).status).toBe(200)
    expect(await isMissing()).toBe(false)
  })

  test('of a shard tells its progress line by line', async () => {
    const sent = await uploadByXet(sandbox.url, noise(1000))
    const answer = await sent.storage.post('/v2/shards', sent.shard)
    expect(answer.headers['content-type']).toContain('application/x-ndjson')
    const lines = answer.bytes.toString().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { type: 'validating', verified: 0, total: 1 },
      { type: 'validating', verified: 1, total: 1 },
      { type: 'committing', stage: 'syncing' },
      { type: 'result', result: 1 },
    ])
  })
})

describe('the chunks of a file', () => {
  test('are the same by both versions and in a batch, and a range names only its own', async () => {
    await uploadByXet(sandbox.url, noise(500_000))
    const hash = await hashOfFile()
    const reading = await storage('read')
    interface Term {
      hash: string
      unpacked_length: number
      range: { start: number; end: number }
    }
    type V1 = {
      offset_into_first_range: number
      terms: Term[]
      fetch_info: Record<string, { url_range: object }[]>
    }
    const v1 = (await reading.get<V1>(`/v1/reconstructions/${hash}`)).body
    type V2 = { terms: Term[]; xorbs: Record<string, { ranges: { bytes: object }[] }[]> }
    const v2 = (await reading.get<V2>(`/v2/reconstructions/${hash}`)).body
    expect(v1.terms.reduce((sum, term) => sum + term.unpacked_length, 0)).toBe(500_000)
    expect(v2.terms).toEqual(v1.terms)
    const [xorb = ''] = Object.keys(v1.fetch_info)
    expect(v2.xorbs[xorb]?.[0]?.ranges[0]?.bytes).toEqual(v1.fetch_info[xorb]?.[0]?.url_range)
    const wanted = [{ prefix: 'default', hash }]
    const batch = await reading.post<{ files: Record<string, Term[]> }>(
      '/v1/reconstructions',
      wanted,
    )
    expect(batch.body.files[hash]).toEqual(v1.terms)
    const ranged = <T>(range: string) =>
      reading.get<T>(`/v1/reconstructions/${hash}`, undefined, { range })
    const part = (await ranged<V1>('bytes=200000-200009')).body
    expect(part.terms[0]?.range.start).toBeGreaterThan(0)
    expect(part.terms[0]?.range.end).toBeLessThan(v1.terms[0]?.range.end ?? 0)
    expect((await ranged('bytes=500000-')).status).toBe(416)
  })

  /** Places of the chunks of the file in the storage. */
  async function placeOfFile() {
    const path = `/v1/reconstructions/${await hashOfFile()}`
    const { body } = await (
      await storage('read')
    ).get<{
      fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
    }>(path)
    const { url = '', url_range: part } = Object.values(body.fetch_info)[0]?.[0] ?? {}
    return { url, range: `bytes=${part?.start}-${part?.end}` }
  }

  test('are at a URL that nobody can change, and that expires', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const { url, range } = await placeOfFile()
    const statusOf = async (address: string, part?: string) =>
      (await anyone.get(address, undefined, part === undefined ? {} : { range: part })).status
    expect(await statusOf(url, range)).toBe(206)
    expect(await statusOf(url)).toBe(403)
    expect(await statusOf(url.replace(/last=\d/, 'last=9'), range)).toBe(403)
    expect(await statusOf(url.replace(/until=\d/, 'until=9'), range)).toBe(403)
    await sandbox.clock.advance('16m')
    expect(await statusOf(url, range)).toBe(403)
  })

  const deletions = { sha: [sha256Of(noise(1000))], rewriteHistory: true }
  test.each<[string, 'DELETE' | 'POST', string, object]>([
    ['the repo', 'DELETE', '/api/repos/delete', { type: repo.type, name: 'chunks' }],
    ['its file', 'POST', `${api}/lfs-files/batch`, { deletions }],
  ])('are gone with %s', async (_what, method, path, body) => {
    await uploadByXet(sandbox.url, noise(1000))
    const { url, range } = await placeOfFile()
    const readIt = async () => (await anyone.get(url, undefined, { range })).status
    expect(await readIt()).toBe(206)
    expect((await alice.send(method, path, body)).status).toBe(200)
    expect(await readIt()).toBe(404)
  })

  test('are one transfer in the request log, and so are uploads', async () => {
    const transfers = async () =>
      groupBy(await requests('path=xet'), ({ transfer }) => transfer?.id ?? 'none')
    const content = noise(200_000)
    const { xorbs, shard } = await uploadByXet(sandbox.url, content)
    const sizes = [shard, ...xorbs.map(({ body }) => body)].map(({ length }) => length)
    const uploads = await transfers()
    expect([...uploads.values()].map(bytesOfAll)).toEqual([sizes.reduce((sum, it) => sum + it)])
    const [upload = ''] = uploads.keys()
    await bytesOf(await read('w.bin', { xet: true }))
    const downloaded = async () => {
      const all = await transfers()
      all.delete(upload)
      return [...all.values()]
    }
    // A response that was sent in parts is in the log a moment after its last part.
    await expect
      .poll(async () => (await downloaded()).map((it) => bytesOfAll(it) > content.length))
      .toEqual([true])
    const [download = []] = await downloaded()
    expect(download.every(({ transfer }) => transfer?.right === 'read')).toBe(true)
  })

  test('answers 404 to operations of newer clients, which then use these', async () => {
    await uploadByXet(sandbox.url, noise(10))
    const path = `/v1/xorb-grants/default/${'ab'.repeat(32)}`
    expect((await (await storage()).post(path, Buffer.alloc(0))).status).toBe(404)
    // Neither that nor the look-up of an unknown chunk is a failure of the app.
    const asExpected = { expected: true, transfer: { right: 'write' } }
    expect(await requests('status=404')).toMatchObject([asExpected, asExpected])
  })
})

describe('the storage, as the rest of the Hub,', () => {
  test('fails by a fault, of which nothing stays', async () => {
    const { xorbs, shard } = await uploadByXet(sandbox.url, noise(50_000))
    const [{ hash, body } = { hash: '', body: Buffer.alloc(0) }] = xorbs
    await sandbox.reset()
    await createRepo({ repo, accessToken, hubUrl: sandbox.url })
    const writing = await storage()
    const path = `/v1/xorbs/default/${hash}`
    await sandbox.faults.add({ match: { route: '/api/xet/*/v1/xorbs/*' }, times: 1, status: 503 })
    expect((await writing.post(path, body)).status).toBe(503)
    expect((await writing.post('/v1/shards', shard)).status).toBe(400)
    expect((await writing.post(path, body)).status).toBe(200)
    expect((await writing.post('/v1/shards', shard)).status).toBe(200)
  })

  test('waits at a barrier', async () => {
    const match = { route: '/api/xet/*/v1/shards' }
    const { id } = await sandbox.barriers.add({ match, count: 1 })
    let isDone = false
    const uploading = uploadByXet(sandbox.url, noise(50_000)).finally(() => {
      isDone = true
    })
    await expect
      .poll(() => sandbox.barriers.list(), { timeout: 20_000 })
      .toMatchObject([{ held: [expect.any(String)] }])
    expect(isDone).toBe(false)
    await sandbox.barriers.release(id)
    await uploading
  })

  test('has the limits of the API', async () => {
    await uploadByXet(sandbox.url, noise(10))
    const answer = await (await storage()).get(`/v1/files/${'ab'.repeat(32)}`)
    expect(answer.headers['ratelimit']).toMatch(/^"api";r=/)
  })
})

test('a sandbox for Git LFS alone refuses Xet, and no client uses it', async () => {
  const lfs = await startSandbox({ largeFiles: 'lfs' })
  try {
    const sent = await uploadByXet(lfs.url, noise(100_000))
    expect(sent.xorbs).toEqual([])
    const answer = await callerAt(lfs, accessToken).get(`${api}/xet-write-token/main`)
    // hf_xet shows the URL of an error and not its message.
    expect([answer.status, answer.headers['location']]).toEqual([
      302,
      '/api/xet-is-not-emulated/set/HF_HUB_DISABLE_XET=1',
    ])
  } finally {
    await lfs.close()
  }
})
