import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createRepo, downloadFile, listFiles } from '@huggingface/hub'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { loadXetHashes, hashText, proofOf } from '../../server/hub/xet/hashes.ts'
import {
  formatChunks,
  type KeptChunk,
  parseChunks,
} from '../../server/store/objects/chunk-table.ts'
import { callerAt } from '../helpers/cast.ts'
import { fillDisk } from '../helpers/failing-disk.ts'
import { lacksContent, sha256Of } from '../helpers/large-files.ts'
import { commitFilesByClient, noise, type SentByXet, uploadByXet } from '../helpers/xet-files.ts'

// What a storage of Xet has to refuse or survive. The sandbox has a data folder, so that what stays there can be seen.
const accessToken = 'hf_sandbox_alice'
const none = 'ab'.repeat(32)
const mostBytes = 64 * 1024 * 1024

let sandbox: Sandbox
let data: string
/** Another name for each test: the client keeps its tokens by the name of the repo. */
let tests = 0
let name = ''
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'hub-sandbox-'))
  sandbox = await startSandbox({ data })
})
beforeEach(async () => {
  tests += 1
  name = `alice/chunks-${tests}`
  await sandbox.reset()
})
afterAll(async () => {
  await sandbox.close()
  rmSync(data, { recursive: true, force: true })
})

interface Storage {
  casUrl: string
  token: string
}

async function storageOf(repo = name, token = accessToken): Promise<Storage> {
  const path = `/api/models/${repo}/xet-write-token/main`
  const { body } = await callerAt(sandbox, token).get<{ casUrl: string; accessToken: string }>(path)
  return { casUrl: body.casUrl, token: body.accessToken }
}

async function newStorage(repo = name): Promise<Storage> {
  await createRepo({ repo: { type: 'model', name: repo }, accessToken, hubUrl: sandbox.url })
  return storageOf(repo)
}

async function send(
  { casUrl, token }: Storage,
  path: string,
  body?: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${casUrl}${path}`, {
    method: body === undefined ? 'HEAD' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: body as BodyInit, duplex: 'half' }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Names of files that uploads have begun. */
function unfinished(): string[] {
  const folder = join(data, 'repos/lfs/unfinished')
  return existsSync(folder) ? readdirSync(folder) : []
}
async function expectNothingKept(storage: Storage, hash = none): Promise<void> {
  expect((await send(storage, `/v1/xorbs/default/${hash}`)).status).toBe(404)
  await expect.poll(unfinished).toEqual([])
}

const lacks = (content: Uint8Array, repo = name) =>
  lacksContent(callerAt(sandbox, accessToken), `/${repo}`, content)

/** Chunk without compression. */
function chunkOf(content: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header.writeUIntLE(content.length, 1, 3)
  header.writeUIntLE(content.length, 5, 3)
  return Buffer.concat([header, content])
}

async function* repeated(part: Uint8Array, times: number): AsyncGenerator<Uint8Array> {
  for (let left = times; left > 0; left--) yield part
}

/** What the client sends for a content, of which the storage then has the xorb. */
function recorded(content: Buffer): Promise<SentByXet> {
  return uploadByXet(sandbox.url, content, { name: `${name}-recorded` })
}

/** A xorb that the storage has never seen. */
async function newXorb(): Promise<{ xorb: Buffer; hash: string; chunks: KeptChunk[] }> {
  const hashes = await loadXetHashes()
  const hasher = hashes.chunks()
  const contents = Array.from({ length: 6 }, (_, index) => noise(128 * 1024, 100 * tests + index))
  const chunks = contents.map((content) => ({
    hash: hashes.chunk(content),
    length: content.length,
  }))
  for (const { hash, length } of chunks) hasher.add(hash, length)
  return {
    xorb: Buffer.concat(contents.map(chunkOf)),
    hash: hashText(hasher.xorbHash()),
    chunks,
  }
}

/** Begins to send a body, of which the rest comes later. */
async function begin(
  { casUrl, token }: Storage,
  path: string,
  { length, first }: { length: number; first: Uint8Array },
): Promise<{ call: ClientRequest; answer: Promise<{ status?: number; text: string }> }> {
  const call = request(`${casUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': length, expect: '100-continue' },
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).once('error', reject)
  }).then(async (response) => ({
    ...(response.statusCode !== undefined && { status: response.statusCode }),
    text: await text(response),
  }))
  answer.catch(() => {})
  // The server has begun with the request.
  await new Promise((resolve) => {
    call.once('continue', resolve)
    call.flushHeaders()
  })
  call.write(first)
  return { call, answer }
}

describe('a xorb that is too large', () => {
  test.each([
    [
      'of 65 MiB of content',
      () => repeated(chunkOf(noise(128 * 1024)), 520),
      `its chunks have more than ${mostBytes} bytes`,
    ],
    [
      'of more chunks than one may have',
      () => repeated(chunkOf(Buffer.from('a')), 8193),
      'it has more than 8192 chunks',
    ],
    [
      'that goes on behind its chunks',
      async function* endless() {
        yield chunkOf(Buffer.from('a'))
        yield Buffer.from('X')
        yield* repeated(Buffer.alloc(1024 * 1024), 70)
      },
      `it has more than ${mostBytes} bytes`,
    ],
    [
      'whose header announces more than a chunk has',
      () => repeated(Buffer.from([0, 255, 255, 255, 0, 1, 0, 0]), 1),
      'a chunk has 1 to 131072 bytes',
    ],
  ])('%s is refused, and nothing of it is kept', async (_name, body, problem) => {
    const storage = await newStorage()
    const answer = await send(storage, `/v1/xorbs/default/${none}`, body())
    expect(answer).toEqual({ status: 400, text: expect.stringContaining(problem) })
    await expectNothingKept(storage)
  })

  test('takes no memory', async () => {
    const storage = await newStorage()
    const body = () => repeated(chunkOf(noise(128 * 1024)), 520)
    await send(storage, `/v1/xorbs/default/${none}`, body())
    const before = process.memoryUsage.rss()
    let highest = before
    const watching = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss())
    }, 5)
    for (let round = 0; round < 3; round++) {
      await send(storage, `/v1/xorbs/default/${none}`, body())
    }
    clearInterval(watching)
    // Less than the content of one, though the client is in the same process.
    expect(highest - before).toBeLessThan(mostBytes)
  })
})

/** A shard of one file: the first chunks of a xorb, of so many bytes together, again and again. Its SHA-256 is wrong. */
async function repeating(
  xorb: string,
  chunks: readonly KeptChunk[],
  count: number,
  bytes: number,
): Promise<Buffer> {
  const hashes = await loadXetHashes()
  const table = parseChunks(formatChunks(chunks))
  let end = 0
  while (table.startOf(end) < bytes) end++
  const fileHasher = hashes.chunks()
  for (let left = count; left > 0; left--) {
    for (const { hash, length } of chunks.slice(0, end)) fileHasher.add(hash, length)
  }
  const swapped = (hash: string) => Buffer.from(hash, 'hex').swap64()
  const entry = (hash: Uint8Array, ...numbers: number[]) => {
    const bytes = Buffer.alloc(48)
    bytes.set(hash)
    for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 32 + 4 * index)
    return bytes
  }
  const term = entry(swapped(xorb), 0, bytes, 0, end)
  const proof = entry(swapped(proofOf(hashes, table, { start: 0, end })))
  const { shard } = await recorded(noise(10))
  return Buffer.concat([
    shard.subarray(0, 48),
    entry(fileHasher.fileHash(), 0xc0_00_00_00, count),
    ...Array.from({ length: count }, () => term),
    ...Array.from({ length: count }, () => proof),
    entry(Buffer.alloc(32)),
    entry(Buffer.alloc(32, 255)),
  ])
}

describe('a shard that is too large', () => {
  test('in bytes is refused', async () => {
    const storage = await newStorage()
    for (const path of ['/v1/shards', '/v2/shards']) {
      const answer = await send(storage, path, repeated(Buffer.alloc(1024 * 1024), 65))
      expect(answer).toEqual({
        status: 413,
        text: expect.stringContaining('The body is too large: at most 67108864 bytes'),
      })
    }
  })

  test('in chunks is refused before they are looked at', async () => {
    const { shard } = await recorded(noise(1000))
    const storage = await newStorage()
    // Header, then a file with its term, its proof and its SHA-256; the term again and again.
    const [header, file, term, proof, oid, rest] = [
      shard.subarray(0, 48),
      Buffer.from(shard.subarray(48, 96)),
      Buffer.from(shard.subarray(96, 144)),
      shard.subarray(144, 192),
      shard.subarray(192, 240),
      shard.subarray(240),
    ]
    const count = 5
    file.writeUInt32LE(count, 36)
    term.writeUInt32LE(4_000_000_000, 44)
    const many = (entry: Uint8Array) => Array.from({ length: count }, () => entry)
    const body = Buffer.concat([header, file, ...many(term), ...many(proof), oid, rest])
    const answer = await send(storage, '/v1/shards', body)
    expect(answer).toEqual({
      status: 400,
      text: expect.stringContaining('its files have more than 16000000 chunks'),
    })
  })

  // A shard of 180 KB made the storage hash 121 GB.
  test('in content, by large parts named again and again, is refused', async () => {
    const storage = await newStorage()
    const { xorb, hash, chunks } = await newXorb()
    expect((await send(storage, `/v1/xorbs/default/${hash}`, xorb)).status).toBe(200)
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    const answer = await send(storage, '/v1/shards', await repeating(hash, chunks, 1900, length))
    expect(answer).toEqual({
      status: 400,
      text: expect.stringContaining(`it repeats ${length} bytes to ${1900 * length}, and may to`),
    })
  })

  test('in content, of few chunks named again and again, is read with little memory', async () => {
    const storage = await newStorage()
    const { xorb, hash, chunks } = await newXorb()
    expect((await send(storage, `/v1/xorbs/default/${hash}`, xorb)).status).toBe(200)
    // 256 MiB, with a wrong SHA-256.
    const body = await repeating(hash, chunks, 2048, chunks[0]?.length ?? 0)
    const before = process.memoryUsage.rss()
    const answer = await send(storage, '/v1/shards', body)
    expect(answer).toEqual({ status: 400, text: expect.stringContaining('a file has the SHA-256') })
    expect(process.memoryUsage.rss() - before).toBeLessThan(2 * mostBytes)
  })
})

describe('an upload that is cut off', () => {
  test('in a xorb leaves nothing, and may be sent again', async () => {
    const { xorb, hash } = await newXorb()
    const storage = await newStorage()
    const path = `/v1/xorbs/default/${hash}`
    const first = xorb.subarray(0, 400_000)
    const { call, answer } = await begin(storage, path, { length: xorb.length, first })
    await expect.poll(unfinished).toHaveLength(1)
    call.destroy()
    await expect(answer).rejects.toThrow(/hang up|reset/)
    await expect.poll(unfinished).toEqual([])
    expect(await send(storage, path, xorb)).toEqual({ status: 200, text: '{"was_inserted":true}' })
  })

  test('in a shard registers nothing', async () => {
    const content = noise(2000)
    const { shard } = await recorded(content)
    const storage = await newStorage()
    for (const path of ['/v1/shards', '/v2/shards']) {
      const begun = { length: shard.length, first: shard.subarray(0, shard.length - 1) }
      const { call, answer } = await begin(storage, path, begun)
      call.destroy()
      await expect(answer).rejects.toThrow(/hang up|reset/)
    }
    expect(await lacks(content)).toBe(true)
    expect((await send(storage, '/v1/shards', shard)).status).toBe(200)
    expect(await lacks(content)).toBe(false)
  })

  test('in the second file of a shard registers neither', async () => {
    const contents = [noise(2000), noise(3000, 2)] as const
    const [one, two] = await Promise.all(
      contents.map((content, index) =>
        uploadByXet(sandbox.url, content, { name: `${name}-${index}` }),
      ),
    )
    const storage = await newStorage()
    const filesOf = (sent?: SentByXet) => sent?.shard.subarray(48, 240) ?? Buffer.alloc(0)
    const header = one?.shard.subarray(0, 48) ?? Buffer.alloc(0)
    const wrong = Buffer.from(filesOf(two))
    wrong.writeUInt8(wrong.readUInt8(150) ^ 1, 150)
    const end = Buffer.concat([Buffer.alloc(32, 255), Buffer.alloc(16)])
    const both = (second: Buffer) => Buffer.concat([header, filesOf(one), second, end])
    expect(await send(storage, '/v1/shards', both(wrong))).toEqual({
      status: 400,
      text: expect.stringContaining('Invalid shard'),
    })
    expect(await Promise.all(contents.map((content) => lacks(content)))).toEqual([true, true])
    expect((await send(storage, '/v1/shards', both(filesOf(two)))).status).toBe(200)
    expect(await Promise.all(contents.map((content) => lacks(content)))).toEqual([false, false])
  })
})

describe('a right that ends', () => {
  const own = async () => (await sandbox.tokens.mint({ user: 'alice', role: 'write' })).access_token

  test('while a xorb is on its way ends the upload before anything is visible', async () => {
    const content = noise(2000)
    const { shard } = await recorded(content)
    const { xorb, hash } = await newXorb()
    await newStorage()
    const token = await own()
    const storage = await storageOf(name, token)
    const first = xorb.subarray(0, 400_000)
    const path = `/v1/xorbs/default/${hash}`
    const { call, answer } = await begin(storage, path, { length: xorb.length, first })
    await expect.poll(unfinished).toHaveLength(1)
    await sandbox.tokens.revoke(token)
    call.end(xorb.subarray(400_000))
    await answer
    expect(await send(storage, '/v1/shards', shard)).toMatchObject({ status: 401 })
    expect(await lacks(content)).toBe(true)
  })

  test.each([
    ['/v1/shards', 401, /^{"error":"Invalid credentials/],
    // The status was sent before.
    ['/v2/shards', 200, /^{"type":"error","message":"Invalid credentials/],
  ])('while %s is on its way refuses it', async (path, status, lastLine) => {
    const content = noise(2000)
    const { shard } = await recorded(content)
    await newStorage()
    const token = await own()
    const storage = await storageOf(name, token)
    const first = shard.subarray(0, 100)
    const { call, answer } = await begin(storage, path, { length: shard.length, first })
    await sandbox.tokens.revoke(token)
    call.end(shard.subarray(100))
    const answered = await answer
    expect(answered.status).toBe(status)
    expect(answered.text.trim().split('\n').at(-1)).toMatch(lastLine)
    expect(await lacks(content)).toBe(true)
  })
})

test('a token of another repo registers files there alone', async () => {
  const content = noise(2000)
  const { shard } = await recorded(content)
  await newStorage()
  const others = await newStorage(`${name}-others`)
  expect((await send(others, '/v1/shards', shard)).status).toBe(200)
  expect([await lacks(content), await lacks(content, `${name}-others`)]).toEqual([true, false])
})

describe('two uploads at once', () => {
  const shared = () => ({ accessToken, hubUrl: sandbox.url })
  const add = (repo: string, path: string, content: Buffer) =>
    commitFilesByClient(sandbox.url, { type: 'model', name: repo }, { [path]: content })
  const read = async (repo: string, path: string) => {
    const blob = await downloadFile({ ...shared(), repo: { type: 'model', name: repo }, path })
    return sha256Of(new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer()))
  }

  test('of one content to two paths and to two repos are both there', async () => {
    const content = noise(900_000)
    await Promise.all([newStorage(), newStorage(`${name}-second`)])
    const places = [
      [name, 'a.bin'],
      [name, 'b.bin'],
      [`${name}-second`, 'a.bin'],
    ] as const
    await Promise.all(places.map(([repo, path]) => add(repo, path, content)))
    for (const [repo, path] of places) expect(await read(repo, path)).toBe(sha256Of(content))
    expect(unfinished()).toEqual([])
  })

  test('of two contents to one path leave the whole of one, and two commits', async () => {
    const contents = [noise(900_000, 1), noise(900_000, 2)]
    await newStorage()
    await Promise.all(contents.map((content) => add(name, 'a.bin', content)))
    expect(contents.map(sha256Of)).toContain(await read(name, 'a.bin'))
    const files: string[] = []
    for await (const { path } of listFiles({ ...shared(), repo: name })) files.push(path)
    expect(files).toContain('a.bin')
  })

  test('of one xorb, bytes of both in turn, keep it once', async () => {
    const { xorb, hash } = await newXorb()
    const storage = await newStorage()
    const path = `/v1/xorbs/default/${hash}`
    const begun = { length: xorb.length, first: xorb.subarray(0, 300_000) }
    const uploads = await Promise.all([begin(storage, path, begun), begin(storage, path, begun)])
    for (const { call } of uploads) call.write(xorb.subarray(300_000, 500_000))
    for (const { call } of uploads) call.end(xorb.subarray(500_000))
    const answers = await Promise.all(uploads.map(({ answer }) => answer))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(unfinished()).toEqual([])
    expect(await send(storage, path, xorb)).toEqual({ status: 200, text: '{"was_inserted":false}' })
  })
})

test('a full disk refuses xorbs and shards in words, and keeps nothing of them', async () => {
  const content = noise(2000)
  const { shard } = await recorded(content)
  const { xorb, hash } = await newXorb()
  const storage = await newStorage()
  const path = `/v1/xorbs/default/${hash}`
  const full = { status: 500, text: expect.stringContaining('the disk is full') as string }
  const disk = await fillDisk()
  try {
    expect(await send(storage, path, xorb)).toEqual(full)
    expect(await send(storage, '/v1/shards', shard)).toEqual(full)
    const lines = (await send(storage, '/v2/shards', shard)).text.trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      type: 'error',
      message: expect.stringContaining('the disk is full') as string,
    })
  } finally {
    disk.repair()
  }
  await expectNothingKept(storage, hash)
  expect(await lacks(content)).toBe(true)
  expect((await send(storage, path, xorb)).status).toBe(200)
  expect((await send(storage, '/v1/shards', shard)).status).toBe(200)
  expect(await lacks(content)).toBe(false)
})
