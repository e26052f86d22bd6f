import { array, assert, asyncProperty, constantFrom, integer, record, uint8Array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCommitLines } from '../../../server/hub/uploads/commit-lines.ts'
import type { ContentShelf } from '../../../server/hub/uploads/commit-contents.ts'
import { contentShelf } from './content-shelf.ts'

const header = { key: 'header', value: { summary: 'title', description: 'more' } }
const file = (path: string, content: string, encoding?: string) => ({
  key: 'file',
  value: { path, content, ...(encoding === undefined ? {} : { encoding }) },
})

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const nowhere: ContentShelf = {
  write() {
    throw new Error('nothing here is large')
  },
  written: () => undefined,
}
const readText = (text: string | Uint8Array, size = 7) =>
  readCommitLines(chunksOf(typeof text === 'string' ? Buffer.from(text) : text, size), nowhere)
const read = (...lines: (object | string)[]) =>
  readText(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))

async function contentOf(line: object | string): Promise<string> {
  const [operation] = (await read(header, line)).operations
  if (operation?.kind !== 'add' || !('content' in operation)) throw new Error('no file')
  return Buffer.from(operation.content).toString('utf8')
}

describe('commit lines', () => {
  test('lines hold the header and the operations', async () => {
    const parentCommit = 'a'.repeat(40)
    const lines = await read(
      { key: 'header', value: { ...header.value, parentCommit } },
      { key: 'file', value: { content: 'aGk=', path: 'a', encoding: 'base64' } },
      { key: 'file', value: { path: 'b', content: 'text', oldPath: 'c' } },
      { key: 'file', value: { path: 'e', oldPath: 'f' } },
      { key: 'lfsFile', value: { path: 'g', oldPath: 'h' } },
      { key: 'lfsFile', value: { path: 'i', oldPath: 'j', oid: 'a'.repeat(64), size: 1 } },
      { key: 'deletedFile', value: { path: 'd' } },
      { key: 'deletedFolder', value: { path: '1/' } },
      { key: 'deletedFolder', value: { path: '2' } },
      { key: 'deletedEntry', value: { path: '3/' } },
    )
    expect(lines).toEqual({
      title: 'title',
      description: 'more',
      parentCommit,
      operations: [
        { kind: 'add', path: 'a', content: Buffer.from('hi') },
        { kind: 'add', path: 'b', content: Buffer.from('text'), oldPath: 'c' },
        { kind: 'move', path: 'e', oldPath: 'f' },
        { kind: 'move', path: 'g', oldPath: 'h' },
        { kind: 'lfs', path: 'i', oldPath: 'j', oid: 'a'.repeat(64), size: 1 },
        { kind: 'delete', path: 'd' },
        { kind: 'deleteFolder', path: '1' },
        { kind: 'deleteFolder', path: '2' },
        { kind: 'delete', path: '3' },
      ],
      passedOver: [],
    })
  })

  test('unknown members are reported by line and name', async () => {
    const lines = await read(
      { ...header, value: { ...header.value, author: 'me' }, note: 1 },
      { key: 'file', value: { path: 'a', content: '', oldpath: 'b', __proto__x: {} } },
      { key: 'deletedFile', value: { path: 'd', oldPath: 'e' } },
      { key: 'lfsFile', value: { path: 'f', oid: 'a'.repeat(64), constructor: 1, more: [] } },
      { key: 'deletedFolder', value: { path: 'g', recursive: true } },
    )
    expect(lines.operations).toHaveLength(4)
    expect(lines.passedOver).toEqual([
      'line 1: it has an unknown member "note"',
      'line 1: its header has an unknown member "author"',
      'line 2: its file has an unknown member "oldpath"',
      'line 2: its file has an unknown member "__proto__x"',
      'line 3: its deletedFile has an unknown member "oldPath"',
      'and 3 more',
    ])
  })

  test('a missing last newline and empty lines are accepted', async () => {
    const [one, two] = [header, file('a', '')].map((line) => JSON.stringify(line))
    for (const text of [`${one}\n${two}`, `\n\n${one}\r\n\r\n${two}\n`, ` \n${one}\n\t\n${two}`]) {
      expect(await readText(text)).toEqual({
        title: 'title',
        description: 'more',
        operations: [{ kind: 'add', path: 'a', content: Buffer.alloc(0) }],
        passedOver: [],
      })
    }
  })

  test.each([
    ['{"key":"file","value":{"content":"aGk=","encoding":"base64","path":"a"}}', 'hi'],
    ['{"value":{"encoding":"base64","content":"aGk=","path":"a"},"key":"file"}', 'hi'],
    ['{"key":"file","value":{"content":"aGk=","path":"a","encoding":"utf-8"}}', 'aGk='],
    ['{"key":"file","value":{"content":"aGk=","path":"a"}}', 'aGk='],
    ['{"key":"file","value":{"content":"aGl","path":"a"}}', 'aGl'],
    ['{"key":"file","value":{"content":"aGk=aGk=aGk=","path":"a"}}', 'aGk=aGk=aGk='],
    ['{"key":"file","value":{"content":"aGk=\\n","path":"a"}}', 'aGk=\n'],
    ['{"key":"file","value":{"content":"a\\"b\\\\","path":"a"}}', 'a"b\\'],
    [
      '{"key":"file","value":{"content":"\\u00e9\u00e9\\ud83d\\ude00","path":"a"}}',
      '\u00e9\u00e9\u{1f600}',
    ],
    ['{"key":"file","value":{"content":"Pz8\\/","encoding":"base64","path":"a"}}', '???'],
    ['{"key":"file","value":{"content":"","encoding":"base64","path":"a"}}', ''],
    ['{ "key" : "file" , "value" : { "content" : "{[,:" , "path" : "a" } }', '{[,:'],
    ['{"key":"file","value":{"content":"no","c\\u006fntent":"yes","path":"a"}}', 'yes'],
    [
      '{"content":"no","key":"file","value":{"x":{"content":"no"},"content":"yes","path":"a"}}',
      'yes',
    ],
  ])('lines with %s are read', async (line, content) => {
    expect(await contentOf(line)).toBe(content)
  })

  test('lines are the same in any chunks', async () => {
    const files = array(
      record({
        bytes: uint8Array({ maxLength: 40 }),
        encoding: constantFrom('base64' as const, 'utf-8' as const),
        first: constantFrom('path', 'content', 'encoding'),
      }),
      { minLength: 1, maxLength: 5 },
    )
    await assert(
      asyncProperty(files, integer({ min: 1, max: 50 }), async (given, size) => {
        const expected = given.map(({ bytes, encoding }, n) => {
          const text = Buffer.from(bytes).toString(encoding)
          return { path: `f${n}`, text, encoding, content: Buffer.from(text, encoding) }
        })
        const lines = expected.map(({ path, text, encoding }, n) => {
          const members = { path, content: text, encoding }
          const first = given[n]?.first as keyof typeof members
          return { key: 'file', value: { [first]: members[first], ...members } }
        })
        const body = [header, ...lines].map((line) => JSON.stringify(line)).join('\n')
        const { operations } = await readText(body, size)
        expect(operations).toEqual(
          expected.map(({ path, content }) => ({ kind: 'add', path, content })),
        )
      }),
    )
  })

  test.each([
    [[], 'no header line'],
    [[header], 'Add a line with the key `lfsFile`, `file` or `deletedFile`'],
    [[file('a', '')], 'Line 1 of the commit: the header must come first'],
    [[header, header], 'Line 2 of the commit: a second header'],
    [[header, '{"key":'], 'Line 2 of the commit: invalid JSON'],
    [[header, '7'], 'Line 2 of the commit: it is not a JSON object'],
    [[header, '[]'], 'it is not a JSON object'],
    [[header, '{"value":{}}'], 'it has no key'],
    [[header, '{"key":"file"}'], 'its value is not an object'],
    [[header, '{"key":"file","value":[]}'], 'its value is not an object'],
    [[header, { key: 'fiel', value: {} }], 'unknown key "fiel"'],
    [[header, { key: 'toString', value: {} }], 'unknown key "toString"'],
    [[header, { key: 'file', value: { content: '' } }], 'path is missing'],
    [[header, { key: 'file', value: { path: 7, content: '' } }], 'path is no text'],
    [[header, { key: 'file', value: { path: 'a' } }], 'content is missing'],
    [[header, { key: 'file', value: { path: 'a', content: 7 } }], 'content is no text'],
    [[header, file('a', 'a', 'utf-16')], 'unknown encoding "utf-16"'],
    [[header, file('a', '%%', 'base64')], 'content is not base64'],
    [[header, file('a', 'YQ', 'base64')], 'content is not base64'],
    [[header, file('a', 'YR==', 'base64')], 'content is not base64'],
    [[header, file('a', 'YQ==YQ==', 'base64')], 'content is not base64'],
    [[header, '{"key":"file","value":{"path":"a","content":"a\nb"}}'], 'invalid JSON'],
    [[header, '{"key":"file","value":{"path":"a","content":"\\x"}}'], 'invalid JSON'],
    [[header, '{"key":"file","value":{"path":"a","content":"a'], 'invalid JSON'],
    [[header, '['.repeat(17)], 'nested more than 16 levels'],
    [[{ key: 'header', value: {} }], 'summary is empty'],
    [[{ key: 'header', value: { summary: ' \n' } }], 'summary is empty'],
    [[{ key: 'header', value: { summary: 7 } }], 'summary is no text'],
    [[{ key: 'header', value: { summary: 'a', description: [] } }], 'description is no text'],
    [
      [header, { key: 'lfsFile', value: { path: 'a.bin', algo: 'sha256', oid: 'x' } }],
      'Line 2 of the commit: oid is not a SHA-256',
    ],
    [
      [{ key: 'header', value: { summary: 'x'.repeat(1024 * 1024) } }],
      'Line 1 of the commit: more than 1048576 bytes, the limit for a header',
    ],
    [
      [header, `{"key":"file","value":{"path":"a","content":"","x":[${'"",'.repeat(40_000)}1]}}`],
      'Line 2 of the commit: more than 65536 bytes outside its strings',
    ],
    [
      [header, `{"key":"file","value":{"${'n'.repeat(100_000)}":${'"" '.repeat(100_000)}`],
      'Line 2 of the commit: more than 65536 bytes outside its strings',
    ],
    [[header, ' '.repeat(65_537)], 'Line 2 of the commit: more than 65536 bytes outside'],
  ])('the line %j is refused', async (lines, message) => {
    const [result] = await Promise.allSettled([
      readText(
        lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
        4096,
      ),
    ])
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'invalid' } })
    expect(String((result as PromiseRejectedResult).reason)).toContain(message)
  })

  test('lines that are not UTF-8 are refused', async () => {
    const bytes = Buffer.concat([
      Buffer.from(JSON.stringify(header).slice(0, -3)),
      Buffer.of(0xff),
      Buffer.from('"}}'),
    ])
    await expect(readText(bytes)).rejects.toThrow('it is not UTF-8')
  })

  test('a file may have 10 MiB, and no more', async () => {
    const most = Buffer.alloc(10 * 1024 * 1024, 'x')
    const body = (bytes: Buffer, encoding: 'base64' | 'utf-8') =>
      `${JSON.stringify(header)}\n${JSON.stringify(file('a', bytes.toString(encoding), encoding))}`
    for (const encoding of ['base64', 'utf-8'] as const) {
      const shelf = contentShelf()
      const readLarge = (bytes: Buffer) =>
        readCommitLines(chunksOf(Buffer.from(body(bytes, encoding)), 65_536), shelf)
      const { operations } = await readLarge(most)
      expect(operations).toEqual([{ kind: 'add', path: 'a', oid: '1', size: most.length }])
      expect(shelf.kept[0]?.equals(most)).toBe(true)
      const larger = readLarge(Buffer.concat([most, Buffer.of(0x78)]))
      await expect(larger).rejects.toThrow(/larger than 10 MiB\. .* Offending file: - a$/)
    }
  })

  // Each is cut so that its parts are handed on, as well as turned into what they were before.
  const numbers = Array.from({ length: 300_000 }, (_, at) => (at * at) >> 3)
  const base64 = Buffer.from(numbers).toString('base64')

  /** Stored content of a file, or its error, for each way the line may arrive. */
  async function* outcomesOf(content: string, encoding: string) {
    const members = [`"content":"${content}"`, `"path":"a","encoding":"${encoding}"`]
    for (const value of [members.join(), members.toReversed().join()]) {
      const body = Buffer.from(`${JSON.stringify(header)}\n{"key":"file","value":{${value}}}\n`)
      for (const size of [4096, 65_535, 65_536, 100_001, body.length]) {
        const shelf = contentShelf()
        const reading = readCommitLines(chunksOf(body, size), shelf)
        yield await reading.then(() => Buffer.concat(shelf.kept), String)
      }
    }
  }

  test.each([
    ['base64', base64, 'base64', Buffer.from(base64, 'base64')],
    ['what is written with escapes', base64.replaceAll('/', '\\/'), 'base64', Buffer.from(numbers)],
    ['a text that could be base64', base64, 'utf-8', Buffer.from(base64)],
    ['one that could be until its last sign', `${base64}!`, 'utf-8', Buffer.from(`${base64}!`)],
    [
      'one that could be at first',
      `${base64}é${base64}`,
      'utf-8',
      Buffer.from(`${base64}é${base64}`),
    ],
  ])('a line may hold much of %s, in any chunks', async (_, content, encoding, expected) => {
    for await (const outcome of outcomesOf(content, encoding)) {
      expect(expected.equals(Buffer.from(outcome))).toBe(true)
    }
  })

  test.each([
    ['another last sign', `${base64.slice(0, -1)}!`],
    ['one less', base64.slice(0, -1)],
    ['one more', `${base64}=`],
  ])('base64 with %s is refused, in any chunks', async (_, content) => {
    for await (const outcome of outcomesOf(content, 'base64')) {
      expect(outcome).toMatch('Line 2 of the commit: content is not base64')
    }
  })

  test('large contents and many small ones are stored while they arrive', async () => {
    const shelf = contentShelf()
    const { kept } = shelf
    async function* body() {
      yield Buffer.from(`${JSON.stringify(header)}\n`)
      yield Buffer.from(`${JSON.stringify(file('large', 'x'.repeat(70_000)))}\n`)
      yield Buffer.from('\n')
      expect(kept).toHaveLength(1)
      const small = 'x'.repeat(60_000)
      for (let number = 0; number < 80; number++) {
        yield Buffer.from(`${JSON.stringify(file(String(number), small))}\n`)
      }
    }
    const { operations } = await readCommitLines(body(), shelf)
    const waiting = operations.filter((operation) => 'content' in operation)
    // 4 MiB, and no more.
    expect(waiting).toHaveLength(69)
    expect(kept).toHaveLength(12)
  })

  test('an error of the disk refuses the commit', async () => {
    const body = [header, file('a', 'x'.repeat(70_000))].map((line) => JSON.stringify(line))
    const reading = readCommitLines(chunksOf(Buffer.from(body.join('\n')), 4096), {
      ...contentShelf(),
      written: () => Promise.reject(new Error('disk full')),
    })
    await expect(reading).rejects.toThrow('disk full')
  })

  test('a body that ends early is refused', async () => {
    async function* torn() {
      yield Buffer.from(`${JSON.stringify(header)}\n`)
      throw new Error('aborted')
    }
    await expect(readCommitLines(torn(), nowhere)).rejects.toThrow('aborted')
  })

  test.each([
    '',
    '/a',
    'a//b',
    'a/',
    '.',
    'a/../b',
    '..\\ddd',
    '.git/config',
    'a/.GIT',
    'a\u0000',
    'a\nb',
    'x'.repeat(4097),
    '\u00e9'.repeat(2049),
  ])('the path %j is refused', async (path) => {
    for (const line of [
      file(path, ''),
      { key: 'lfsFile', value: { path, oid: 'a'.repeat(64) } },
      { key: 'file', value: { path: 'a', content: '', oldPath: path } },
    ]) {
      const [result] = await Promise.allSettled([read(header, line)])
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unprocessable' } })
    }
  })

  test.each(['a', '.gitignore', 'a.git', 'x'.repeat(4096), '\u00e9 ?%:,*', '...', '-'])(
    'the path %j is accepted',
    async (path) => {
      expect((await read(header, file(path, ''))).operations).toHaveLength(1)
    },
  )
})
