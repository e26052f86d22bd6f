import { createHash } from 'node:crypto'
import { createRepo, downloadFile, listFiles } from '@huggingface/hub'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RequestItem, RequestList } from '../../server/contract/control-requests.ts'
import { groupBy } from '../../server/core/group-by.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { noise, type SentByXet, uploadByXet } from '../helpers/xet-files.ts'

const accessToken = 'hf_sandbox_alice'
const repo = { type: 'model', name: 'alice/chunks' } as const
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

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

interface XetToken {
  casUrl: string
  accessToken: string
  exp: number
}
const ask = (path: string, token?: string) =>
  fetch(`${sandbox.url}${path}`, {
    redirect: 'manual',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const xetToken = async (right: 'read' | 'write', name: string = repo.name, token = accessToken) =>
  (await (await ask(`/api/models/${name}/xet-${right}-token/main`, token)).json()) as XetToken
const send = (sent: Pick<SentByXet, 'casUrl' | 'token'>, path: string, init: RequestInit = {}) =>
  fetch(`${sent.casUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${sent.token}`, ...(init.headers as Record<string, string>) },
  })
const post = (sent: Pick<SentByXet, 'casUrl' | 'token'>, path: string, body: Uint8Array) =>
  send(sent, path, { method: 'POST', body: Buffer.from(body) })

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
    expect(sha256(await bytesOf(byXet))).toBe(sha256(content))
    expect(sha256(await bytesOf(await read('w.bin', { xet: false })))).toBe(sha256(content))
    const pointer = await (await ask(`/${repo.name}/raw/main/w.bin`)).text()
    expect(pointer).toContain(`oid sha256:${sha256(content)}\nsize ${content.length}\n`)
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
      expect(sha256(part), `${start} to ${end}`).toBe(sha256(content.subarray(start, end)))
    }
  })

  test('is listed with the hash of its chunks, and announced at its URL', async () => {
    await uploadByXet(sandbox.url, noise(100_000))
    const files: { path: string; xetHash?: string }[] = []
    for await (const file of listFiles({ repo, accessToken, hubUrl: sandbox.url })) files.push(file)
    const hash = files.find(({ path }) => path === 'w.bin')?.xetHash ?? ''
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const answer = await ask(`/${repo.name}/resolve/main/w.bin`)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('x-xet-hash')).toBe(hash)
    const [, refresh = ''] =
      /<([^>]+)>; rel="xet-auth"/.exec(answer.headers.get('link') ?? '') ?? []
    const { casUrl, accessToken: token } = (await (await fetch(refresh)).json()) as XetToken
    const head = await send({ casUrl, token }, `/v1/files/${hash}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '100000'])
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
    expect(sha256(await bytesOf(await read()))).toBe(sha256(changed))
  })
})

describe('a copy of a file that came by Xet', () => {
  const copy = { type: 'model', name: 'alice/copy' } as const
  const call = (path: string, method: string, body?: string, type = 'application/json') =>
    fetch(`${sandbox.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': type },
      ...(body !== undefined && { body }),
    })
  const changes: [string, () => Promise<Response>, seed: number][] = [
    [
      'is private',
      () => call(`/api/models/${repo.name}/settings`, 'PUT', '{"visibility":"private"}'),
      1,
    ],
    [
      'is deleted',
      () => call('/api/repos/delete', 'DELETE', JSON.stringify({ name: 'chunks', type: 'model' })),
      2,
    ],
  ]

  test.each(changes)('in another repo stays when its source %s', async (_name, change, seed) => {
    // Of the same commit, the client would use the token from before the reset.
    const content = noise(400_000, seed)
    await uploadByXet(sandbox.url, content)
    await createRepo({ repo: copy, accessToken, hubUrl: sandbox.url })
    const oid = sha256(content)
    const copied = await call(
      `/api/models/${repo.name}/lfs-files/duplicate`,
      'POST',
      JSON.stringify({ target: copy, files: [{ sha256: oid, filename: 'w.bin' }] }),
    )
    expect(await copied.json()).toMatchObject({ succeeded: 1 })
    const lines = [
      { key: 'header', value: { summary: 'Copy' } },
      { key: 'lfsFile', value: { path: 'copy.bin', algo: 'sha256', oid, size: content.length } },
    ]
    const committed = await call(
      `/api/models/${copy.name}/commit/main`,
      'POST',
      lines.map((line) => JSON.stringify(line)).join('\n'),
      'application/x-ndjson',
    )
    expect(committed.status).toBe(200)
    expect((await change()).status).toBe(200)
    expect((await ask(`/api/models/${repo.name}`, 'hf_sandbox_bob')).status).toBe(404)
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
      expect(sha256(await bytesOf(blob))).toBe(oid)
    }
  })
})

describe('a token for the Xet storage', () => {
  const shard = '/v1/shards'

  test('expires after a quarter of an hour on the sandbox clock', async () => {
    await sandbox.clock.freeze()
    const { casUrl, accessToken: token, exp } = await xetTokenOfNewFile()
    const { now } = await sandbox.clock.read()
    expect(exp).toBe(Math.floor(Date.parse(now) / 1000) + 15 * 60)
    const look = () =>
      send({ casUrl, token }, '/v1/files/'.concat('0'.repeat(64)), { method: 'HEAD' })
    expect((await look()).status).toBe(404)
    await sandbox.clock.advance('16m')
    expect((await look()).status).toBe(401)
  })

  async function xetTokenOfNewFile(right: 'read' | 'write' = 'read') {
    await uploadByXet(sandbox.url, noise(1000))
    return xetToken(right)
  }

  test('to read does not write', async () => {
    const { casUrl, accessToken: token } = await xetTokenOfNewFile('read')
    const answer = await post({ casUrl, token }, shard, Buffer.alloc(0))
    expect(answer.status).toBe(403)
  })

  test.each([undefined, 'hf_sandbox_alice', 'xet_sandbox_unknown'])('is no %s', async (token) => {
    const { casUrl } = await xetTokenOfNewFile()
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(`${casUrl}${shard}`, { method: 'POST', headers })
    expect(answer.status).toBe(401)
  })

  test('stops with the access token that it was made with', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const { access_token: own } = await sandbox.tokens.mint({ user: 'alice', role: 'write' })
    const { casUrl, accessToken: token } = await xetToken('write', repo.name, own)
    await sandbox.tokens.revoke(own)
    expect((await post({ casUrl, token }, shard, Buffer.alloc(0))).status).toBe(401)
  })

  test('is refused for what the caller may not do', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const path = (right: string) => `/api/models/${repo.name}/xet-${right}-token/main`
    expect((await ask(path('write'), 'hf_sandbox_bob')).status).toBe(403)
    expect((await ask(path('write'))).status).toBe(401)
    await fetch(`${sandbox.url}/api/models/${repo.name}/settings`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: '{"private":true}',
    })
    expect((await ask(path('read'), 'hf_sandbox_bob')).status).toBe(404)
    expect((await ask(path('read'))).status).toBe(401)
  })

  test('opens the files of its own repo alone', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const hash = (await ask(`/${repo.name}/resolve/main/w.bin`)).headers.get('x-xet-hash') ?? ''
    await uploadByXet(sandbox.url, noise(1000, 2), { name: 'alice/others' })
    const looks = async (name: string) => {
      const { casUrl, accessToken: token } = await xetToken('read', name)
      const paths = [`/v1/reconstructions/${hash}`, `/v2/reconstructions/${hash}`]
      const answers = await Promise.all(paths.map((path) => send({ casUrl, token }, path)))
      return answers.map(({ status }) => status)
    }
    expect(await looks(repo.name)).toEqual([200, 200])
    expect(await looks('alice/others')).toEqual([404, 404])
  })

  test('has another storage after a reset, whose chunks clients must not remember', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const { casUrl, accessToken: token } = await xetToken('write')
    await sandbox.reset()
    const next = await xetTokenOfNewFile()
    expect(next.casUrl).not.toBe(casUrl)
    const answer = await post({ casUrl, token }, '/v1/shards', Buffer.alloc(0))
    expect(answer.status).toBe(401)
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
    const readTokens = async () => {
      const answer = await ask('/_sandbox/api/requests?limit=1000')
      const { items } = (await answer.json()) as RequestList
      return items.filter(({ path }) => path.includes('/xet-read-token/')).length
    }
    await sendAgain()
    const { accessToken: mine } = await xetToken('read')
    const minted = (await sandbox.tokens.mint({ user: 'alice', role: 'read' })).access_token
    const { accessToken: ofMinted } = await xetToken('read', repo.name, minted)
    expect(sha256(await bytesOf(await read('w.bin', { xet: true })))).toBe(sha256(content))

    await sendAgain()
    expect(sha256(await bytesOf(await read('w.bin', { xet: true })))).toBe(sha256(content))
    expect(await readTokens()).toBe(0)
    const { casUrl } = await xetToken('write')
    const file = (await (await ask(`/api/models/${repo.name}/tree/main`, accessToken)).json()) as {
      path: string
      xetHash: string
    }[]
    const { xetHash } = file.find(({ path }) => path === 'w.bin') ?? { xetHash: '' }
    const look = async (token: string) =>
      (await send({ casUrl, token }, `/v1/reconstructions/${xetHash}`)).status
    expect(await look(mine)).toBe(200)
    // The token of the Hub that asked for it went with the reset.
    expect(await look(ofMinted)).toBe(401)
  })

  test('is for a revision that there is, to write for a branch', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const make = (path: string, body: object) =>
      fetch(`${sandbox.url}/api/models/${repo.name}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await make('branch/a%2Fb', {})).status).toBe(200)
    expect((await make('tag/main', { tag: 'v1' })).status).toBe(200)
    const statuses = async (right: string) =>
      Promise.all(
        ['main', 'a%2Fb', 'v1', 'none'].map(
          async (name) =>
            (await ask(`/api/models/${repo.name}/xet-${right}-token/${name}`, accessToken)).status,
        ),
      )
    expect(await statuses('read')).toEqual([200, 200, 200, 404])
    expect(await statuses('write')).toEqual([200, 200, 404, 404])
  })

  test('for a pull request is given to those who may read', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const path = `/api/models/${repo.name}/xet-write-token/None?create_pr=1`
    expect((await ask(path, 'hf_sandbox_bob')).status).toBe(200)
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
    const answer = await post(sent, `/v1/xorbs/default/${hash}`, changed(body, change))
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(text)])
    const head = await send(sent, `/v1/xorbs/default/${hash}`, { method: 'HEAD' })
    expect(head.status).toBe(404)
  })

  test('under another hash is refused', async () => {
    const sent = await uploadByXet(sandbox.url, noise(1000))
    const { body = Buffer.alloc(0), hash } = sent.xorbs[0] ?? {}
    const answer = await post(sent, `/v1/xorbs/default/${'ab'.repeat(32)}`, body)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`${hash}`)])
    const again = await post(sent, `/v1/xorbs/default/${hash}`, body)
    expect(await again.json()).toEqual({ was_inserted: false })
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
    const answer = await post(sent, `/v1/xorbs/default/${'ab'.repeat(32)}`, body)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/more than 67108864 bytes|Broken LZ4/)
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
    const { casUrl, accessToken: token } = await otherRepo()
    const bad = changed(sent.shard, change)
    const answer = await post({ casUrl, token }, '/v1/shards', bad)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(text)])
    // What can be parsed is refused once the response has begun.
    const answer2 = await post({ casUrl, token }, '/v2/shards', bad)
    const lastLine = (await answer2.text()).trim().split('\n').at(-1)
    expect(lastLine).toContain(text)
    expect(answer2.status === 400 || lastLine?.includes('"type":"error"')).toBe(true)
    expect(await uploadsNeeded(content)).toBe(true)
    // What was not changed is taken, and the repo then has the file.
    expect((await post({ casUrl, token }, '/v1/shards', sent.shard)).status).toBe(200)
    expect(await uploadsNeeded(content)).toBe(false)
  })

  async function otherRepo() {
    await uploadByXet(sandbox.url, noise(10, 7), { name: 'alice/others' })
    return xetToken('write', 'alice/others')
  }

  /** Whether the other repo lacks a file. */
  async function uploadsNeeded(content: Buffer): Promise<boolean> {
    const type = 'application/vnd.git-lfs+json'
    const answer = await fetch(`${sandbox.url}/alice/others.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, accept: type, 'content-type': type },
      body: JSON.stringify({
        operation: 'upload',
        objects: [{ oid: sha256(content), size: content.length }],
      }),
    })
    const { objects } = (await answer.json()) as { objects: { actions?: object }[] }
    return objects[0]?.actions !== undefined
  }

  test('of a shard tells its progress line by line', async () => {
    const sent = await uploadByXet(sandbox.url, noise(1000))
    const answer = await post(sent, '/v2/shards', sent.shard)
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
    expect(
      (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([
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
    const hash = (await ask(`/${repo.name}/resolve/main/w.bin`)).headers.get('x-xet-hash') ?? ''
    const { casUrl, accessToken: token } = await xetToken('read')
    const get = async <T>(path: string, init?: RequestInit) =>
      (await (await send({ casUrl, token }, path, init)).json()) as T
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
    const v1 = await get<V1>(`/v1/reconstructions/${hash}`)
    const v2 = await get<{
      terms: Term[]
      xorbs: Record<string, { ranges: { bytes: object }[] }[]>
    }>(`/v2/reconstructions/${hash}`)
    expect(v1.terms.reduce((sum, term) => sum + term.unpacked_length, 0)).toBe(500_000)
    expect(v2.terms).toEqual(v1.terms)
    const [xorb = ''] = Object.keys(v1.fetch_info)
    expect(v2.xorbs[xorb]?.[0]?.ranges[0]?.bytes).toEqual(v1.fetch_info[xorb]?.[0]?.url_range)
    const batch = await get<{ files: Record<string, Term[]> }>('/v1/reconstructions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ prefix: 'default', hash }]),
    })
    expect(batch.files[hash]).toEqual(v1.terms)
    const part = await get<V1>(`/v1/reconstructions/${hash}`, {
      headers: { range: 'bytes=200000-200009' },
    })
    expect(part.terms[0]?.range.start).toBeGreaterThan(0)
    expect(part.terms[0]?.range.end).toBeLessThan(v1.terms[0]?.range.end ?? 0)
    const after = await send({ casUrl, token }, `/v1/reconstructions/${hash}`, {
      headers: { range: 'bytes=500000-' },
    })
    expect(after.status).toBe(416)
  })

  test('are at a URL that nobody can change, and that expires', async () => {
    await uploadByXet(sandbox.url, noise(1000))
    const hash = (await ask(`/${repo.name}/resolve/main/w.bin`)).headers.get('x-xet-hash') ?? ''
    const { casUrl, accessToken: token } = await xetToken('read')
    const answer = await send({ casUrl, token }, `/v1/reconstructions/${hash}`)
    const { fetch_info: places } = (await answer.json()) as {
      fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
    }
    const { url = '', url_range: { start = 0, end = 0 } = {} } = Object.values(places)[0]?.[0] ?? {}
    const statusOf = async (address: string, range?: string) =>
      (await fetch(address, range === undefined ? {} : { headers: { range } })).status
    const range = `bytes=${start}-${end}`
    expect(await statusOf(url, range)).toBe(206)
    expect(await statusOf(url)).toBe(403)
    expect(await statusOf(url.replace(/last=\d/, 'last=9'), range)).toBe(403)
    expect(await statusOf(url.replace(/until=\d/, 'until=9'), range)).toBe(403)
    await sandbox.clock.advance('16m')
    expect(await statusOf(url, range)).toBe(403)
  })

  const remove = (method: string, path: string, body: object) =>
    fetch(`${sandbox.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify(body),
    })
  const deletions = { sha: [sha256(noise(1000))], rewriteHistory: true }
  test.each<[string, string, string, object]>([
    ['the repo', 'DELETE', '/api/repos/delete', { type: repo.type, name: 'chunks' }],
    ['its file', 'POST', `/api/models/${repo.name}/lfs-files/batch`, { deletions }],
  ])('are gone with %s', async (_what, method, path, body) => {
    await uploadByXet(sandbox.url, noise(1000))
    const hash = (await ask(`/${repo.name}/resolve/main/w.bin`)).headers.get('x-xet-hash') ?? ''
    const { casUrl, accessToken: token } = await xetToken('read')
    const answer = await send({ casUrl, token }, `/v1/reconstructions/${hash}`)
    const { fetch_info: places } = (await answer.json()) as {
      fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
    }
    const { url = '', url_range: { start = 0, end = 0 } = {} } = Object.values(places)[0]?.[0] ?? {}
    const read = async () =>
      (await fetch(url, { headers: { range: `bytes=${start}-${end}` } })).status
    expect(await read()).toBe(206)
    expect((await remove(method, path, body)).status).toBe(200)
    expect(await read()).toBe(404)
  })

  test('are one transfer in the request log, and so are uploads', async () => {
    const transfers = async () => {
      const { items } = (await (
        await fetch(`${sandbox.url}/_sandbox/api/requests?path=xet`)
      ).json()) as RequestList
      return groupBy(items, ({ transfer }) => transfer?.id ?? 'none')
    }
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
    const { casUrl, accessToken: token } = await xetToken('write')
    const path = `/v1/xorb-grants/default/${'ab'.repeat(32)}`
    expect((await post({ casUrl, token }, path, Buffer.alloc(0))).status).toBe(404)
    const { items } = (await (
      await fetch(`${sandbox.url}/_sandbox/api/requests?status=404`)
    ).json()) as RequestList
    // Neither that nor the look-up of an unknown chunk is a failure of the app.
    const asExpected = { expected: true, transfer: { right: 'write' } }
    expect(items).toMatchObject([asExpected, asExpected])
  })
})

describe('the storage, as the rest of the Hub,', () => {
  test('fails by a fault, of which nothing stays', async () => {
    const { xorbs, shard } = await uploadByXet(sandbox.url, noise(50_000))
    const [{ hash, body } = { hash: '', body: Buffer.alloc(0) }] = xorbs
    await sandbox.reset()
    await createRepo({ repo, accessToken, hubUrl: sandbox.url })
    const { casUrl, accessToken: token } = await xetToken('write')
    const path = `/v1/xorbs/default/${hash}`
    await sandbox.faults.add({ match: { route: '/api/xet/*/v1/xorbs/*' }, times: 1, status: 503 })
    expect((await post({ casUrl, token }, path, body)).status).toBe(503)
    expect((await post({ casUrl, token }, '/v1/shards', shard)).status).toBe(400)
    expect((await post({ casUrl, token }, path, body)).status).toBe(200)
    expect((await post({ casUrl, token }, '/v1/shards', shard)).status).toBe(200)
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
    const { casUrl, accessToken: token } = await xetToken('write')
    const answer = await send({ casUrl, token }, `/v1/files/${'ab'.repeat(32)}`)
    expect(answer.headers.get('ratelimit')).toMatch(/^"api";r=/)
  })
})

test('a sandbox for Git LFS alone refuses Xet, and no client uses it', async () => {
  const lfs = await startSandbox({ largeFiles: 'lfs' })
  try {
    const sent = await uploadByXet(lfs.url, noise(100_000))
    expect(sent.xorbs).toEqual([])
    const answer = await fetch(`${lfs.url}/api/models/${repo.name}/xet-write-token/main`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${accessToken}` },
    })
    // hf_xet shows the URL of an error and not its message.
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      '/api/xet-is-not-emulated/set/HF_HUB_DISABLE_XET=1',
    ])
  } finally {
    await lfs.close()
  }
})
