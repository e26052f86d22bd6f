import { commit, createRepo, downloadFile } from '@huggingface/hub'
import { beforeEach, describe, expect, test } from 'vitest'
import { callerAt } from '../helpers/cast.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'
import { commitFilesByClient, noise, uploadByXet, xetHashAt } from '../helpers/xet-files.ts'

// Edits of large files by the Hub's JavaScript client, which sends and reads only the parts around them.
const accessToken = 'hf_sandbox_alice'
const sandbox = sharedSandbox()
/** Another name for each test: the client keeps its tokens by the name of the repo. */
let tests = 0
let name = ''
beforeEach(() => {
  tests += 1
  name = `alice/edits-${tests}`
})

interface Edit {
  readonly start: number
  readonly end: number
  readonly content: Buffer
}

interface Traffic {
  /** Bytes of xorbs. */
  sent: number
  received: number
  /** Bodies of the responses to `/v2/file-chunk-hashes`. */
  readonly windows: { dirtyByteRange: [number, number] }[][]
}

/** Counts what the client sends to the storage and reads from it. */
function countTraffic(): Traffic & { fetch: typeof fetch } {
  const traffic: Traffic = { sent: 0, received: 0, windows: [] }
  return Object.assign(traffic, {
    async fetch(...[input, init]: Parameters<typeof fetch>) {
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      if (pathname.includes('/v1/xorbs/default/')) {
        traffic.sent += (await new Response(init?.body).arrayBuffer()).byteLength
      }
      const response = await fetch(input, init)
      if (pathname.includes('/xorbs/') && init?.method === undefined) {
        traffic.received += Number(response.headers.get('content-length'))
      }
      if (pathname.includes('/v2/file-chunk-hashes/')) {
        const { windows } = (await response.clone().json()) as { windows: Traffic['windows'][0] }
        traffic.windows.push(windows)
      }
      return response
    },
  })
}

function applied(content: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const { start, end, content: inserted } of edits) {
    parts.push(content.subarray(at, start), inserted)
    at = end
  }
  return Buffer.concat([...parts, content.subarray(at)])
}

describe.each(['bucket', 'model'] as const)('a file of a %s', (type) => {
  const shared = () => ({ repo: { type, name }, accessToken, hubUrl: sandbox.url })
  const read = async () => {
    const blob = await downloadFile({ ...shared(), path: 'w.bin' })
    if (blob === null) throw new Error('the file is missing')
    return blob
  }
  async function create(content: Buffer) {
    await createRepo(shared())
    await commitFilesByClient(sandbox.url, { type, name }, { 'w.bin': content })
  }
  async function edit(edits: readonly Edit[]): Promise<Traffic> {
    const traffic = countTraffic()
    await commit({
      ...shared(),
      title: 'Edit',
      fetch: traffic.fetch,
      operations: [
        {
          operation: 'edit',
          path: 'w.bin',
          originalContent: await read(),
          edits: edits.map(({ content, ...range }) => ({
            ...range,
            content: new Blob([Uint8Array.from(content)]),
          })),
        },
      ],
    })
    return traffic
  }

  test('is edited, cut, appended to and edited in several places', async () => {
    let content = noise(3_000_000)
    await create(content)
    const rounds: Edit[][] = [
      [{ start: 1_500_000, end: 1_500_100, content: noise(100, 2) }],
      [{ start: 3_000_000, end: 3_000_000, content: noise(300_000, 3) }],
      [{ start: 0, end: 50_000, content: Buffer.alloc(0) }],
      [
        { start: 10, end: 10, content: noise(20, 4) },
        { start: 1_500_000, end: 1_600_000, content: noise(7, 5) },
        { start: 3_249_000, end: 3_250_000, content: noise(1000, 6) },
      ],
    ]
    for (const edits of rounds) {
      const { sent, windows } = await edit(edits)
      content = applied(content, edits)
      expect(windows).toHaveLength(1)
      expect(sent).toBeLessThan(600_000)
      expect(Buffer.compare(Buffer.from(await (await read()).arrayBuffer()), content)).toBe(0)
    }
  })
})

test('a file of a bucket is appended to without reading what is before', async () => {
  const repo = { type: 'bucket', name } as const
  const shared = { repo, accessToken, hubUrl: sandbox.url, title: 'Change' }
  await createRepo(shared)
  const first = noise(4_000_000)
  await commitFilesByClient(sandbox.url, repo, { 'w.bin': first })
  const append = async (seed: number) => {
    const traffic = countTraffic()
    const reading = { ...shared, path: 'w.bin', fetch: traffic.fetch }
    const originalContent = (await downloadFile(reading)) as Blob
    const { size } = originalContent
    const content = new Blob([Uint8Array.from(noise(1000, seed))])
    const edits = [{ content, start: size, end: size }]
    await commit({
      ...shared,
      fetch: traffic.fetch,
      operations: [{ operation: 'edit', path: 'w.bin', originalContent, edits }],
    })
    return traffic
  }
  await append(2)
  // The file now has several terms, of which only the last is read.
  const { sent, received, windows } = await append(3)
  expect(sent).toBeLessThan(200_000)
  expect(received).toBeGreaterThan(0)
  expect(received).toBeLessThan(300_000)
  expect(windows[0]?.[0]?.dirtyByteRange[0]).toBeGreaterThan(3_000_000)
  const last = (await downloadFile({ ...shared, path: 'w.bin' })) as Blob
  expect(
    Buffer.compare(
      Buffer.from(await last.arrayBuffer()),
      Buffer.concat([first, noise(1000, 2), noise(1000, 3)]),
    ),
  ).toBe(0)
})

describe('the chunk hashes of a file', () => {
  const size = 1_000_000
  async function prepare() {
    const { storage } = await uploadByXet(sandbox.url, noise(size), { name })
    const hash = await xetHashAt(callerAt(sandbox), `/${name}/resolve/main/w.bin`)
    return <T>(range?: string, of = hash) =>
      storage.get<T>(
        `/v2/file-chunk-hashes/${of}`,
        undefined,
        range === undefined ? {} : { 'x-range-dirty': range },
      )
  }

  test.each([undefined, 'bytes=', 'bytes=9-1', 'bytes=-5', 'bytes=5-', 'items=0-5', 'bytes=0-5,'])(
    'need a header that lists ranges, not %s',
    async (header) => {
      const ask = await prepare()
      const answer = await ask<{ error: string }>(header)
      expect([answer.status, answer.bytes.toString()]).toEqual([
        400,
        expect.stringContaining('Invalid header X-Range-Dirty'),
      ])
    },
  )

  test('are for bytes of the file alone', async () => {
    const ask = await prepare()
    const outside = await ask(`bytes=${size}-${size + 9},99999999999999999999-99999999999999999999`)
    expect([outside.status, outside.headers['content-range']]).toEqual([416, `bytes */${size}`])
    const partly = await ask<{
      windows: { dirtyByteRange: [number, number] }[]
      fileSize: number
    }>(`bytes=${size - 1}-99999999999999999999`)
    const { windows, fileSize } = partly.body
    expect([windows.length, windows[0]?.dirtyByteRange[1], fileSize]).toEqual([1, size, size])
    expect((await ask('bytes=0-0', '0'.repeat(64))).status).toBe(404)
  })

  test('join ranges that overlap or touch one chunk, in any order', async () => {
    const ask = await prepare()
    const all = async (range: string) => (await ask(range)).body
    expect(await all('bytes=500-600,0-100,50-550')).toEqual(await all('bytes=0-600'))
    expect(await all(`bytes=0-${size - 1}`)).toMatchObject({
      windows: [{ dirtyByteRange: [0, size] }],
      hashRanges: [null, null],
      gapVerification: [],
    })
  })
})
