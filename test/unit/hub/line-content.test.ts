import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  tuple,
  uint8Array,
} from 'fast-check'
import { expect, test } from 'vitest'
import { type KeptContent, LineContent } from '../../../server/hub/line-content.ts'
import { contentShelf } from './content-shelf.ts'

const sign = constantFrom(...Array.from('AQgwBZaz09+/=-_ é'))
const almost = oneof(
  array(sign, { maxLength: 12 }).map((signs) => signs.join('')),
  tuple(
    uint8Array({ maxLength: 12 }),
    array(sign, { maxLength: 2 }),
    integer({ min: 0, max: 16 }),
  ).map(([bytes, signs, at]) => {
    const text = Buffer.from(bytes).toString('base64')
    return text.slice(0, at) + signs.join('') + text.slice(at)
  }),
)

/** What base64 alone makes of bytes is it (RFC 4648 §3.5): Node reads more. */
function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

const most = 10 * 1024 * 1024

/** Those that wait in memory and those that do not are the same. */
function contentIn(shelf: ReturnType<typeof contentShelf>, mostBytes = most, waitingBytes = 5) {
  return new LineContent(shelf, { mostBytes, waitingBytes })
}

function bytesOf(taken: KeptContent | undefined | 'too large', { kept }: { kept: Buffer[] }) {
  if (taken === undefined || taken === 'too large') return taken
  return 'content' in taken ? taken.content : kept[Number(taken.oid) - 1]
}

async function readRaw(raw: Buffer, size: number, encoding: 'base64' | 'utf-8', flushes = true) {
  const shelf = contentShelf()
  const content = contentIn(shelf)
  for (let at = 0; at < raw.length; at += size) {
    // Its memory is another's as soon as it was given.
    const chunk = Buffer.from(raw.subarray(at, at + size))
    content.write(chunk)
    chunk.fill('!')
    if (flushes) await content.flush()
  }
  const taken = bytesOf(await content.take(encoding, () => true), shelf)
  await content.close()
  expect(shelf.open()).toBe(0)
  return taken?.toString('latin1')
}

test('reads what is base64, what almost is and what is none, however it is cut (RFC 4648 §4)', async () => {
  await assert(
    asyncProperty(almost, integer({ min: 1, max: 20 }), boolean(), async (text, size, flushes) => {
      const raw = Buffer.from(text)
      for (const encoding of ['base64', 'utf-8'] as const) {
        const expected = encoding === 'utf-8' ? raw : strictBase64(text)
        expect(await readRaw(raw, size, encoding, flushes)).toBe(expected?.toString('latin1'))
      }
    }),
    { numRuns: 1000 },
  )
})

const inString = oneof(
  constantFrom(...Array.from('Ab9+/= é\u{1f600}\ufeff\u0141\u012d')),
  constantFrom(String.raw`\n`, '\\/', '\\\\', '\\u0041', '\\u00e9'),
  constantFrom('\\ud83d', '\\ude00', '\\uD83D\\uDE00'),
  constantFrom('\\', '\\u', '\\u00g0', '\n', '\u0000'),
)

test('reads what JSON can write, and nothing else, however it is cut (RFC 8259 §7)', async () => {
  await assert(
    asyncProperty(
      array(inString, { maxLength: 12 }),
      integer({ min: 1, max: 20 }),
      async (parts, size) => {
        const raw = Buffer.from(parts.join(''))
        let text: string | undefined
        try {
          text = JSON.parse(`"${raw.toString()}"`) as string
        } catch {
          // It is none.
        }
        const base64 = text === undefined ? undefined : strictBase64(text)
        expect(await readRaw(raw, size, 'utf-8')).toBe(text && Buffer.from(text).toString('latin1'))
        expect(await readRaw(raw, size, 'base64')).toBe(base64?.toString('latin1'))
      },
    ),
    { numRuns: 1000 },
  )
})

test('keeps a mark of the byte order, and takes nothing that is no UTF-8', async () => {
  expect(await readRaw(Buffer.from('\ufeffa'), 2, 'utf-8')).toBe('\u00ef\u00bb\u00bfa')
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80]]) {
    expect(await readRaw(Buffer.from(bytes), 1, 'utf-8')).toBeUndefined()
  }
})

test('has the size of what it has decoded', async () => {
  const content = contentIn(contentShelf())
  content.write(Buffer.from('aGVsbG8'))
  expect(content.size).toBe(3)
  content.write(Buffer.from('='))
  expect(content.size).toBe(5)
  content.write(Buffer.from('!'))
  expect(content.size).toBe(9)
  content.write(Buffer.from('\\x'))
  expect(content.size).toBe(11)
  await content.close()
})

test('keeps nothing of what is too large, but its size', async () => {
  for (const [text, encoding, expected] of [
    ['YWJj'.repeat(5), 'base64', 15],
    ['YWJj'.repeat(6), 'base64', 'too large'],
    ['YWJj'.repeat(4), 'utf-8', 16],
    ['YWJj'.repeat(5), 'utf-8', 'too large'],
    ['YWJj'.repeat(6), 'utf-8', 'too large'],
    [`${'YWJj'.repeat(6)}!`, 'utf-8', 'too large'],
    ['!'.repeat(16), 'utf-8', 16],
    ['!'.repeat(17), 'utf-8', 'too large'],
  ] as const) {
    for (const size of [3, 100]) {
      const shelf = contentShelf()
      const content = contentIn(shelf, 16)
      for (let at = 0; at < text.length; at += size) {
        content.write(Buffer.from(text.slice(at, at + size)))
        await content.flush()
      }
      const taken = bytesOf(await content.take(encoding, () => true), shelf)
      expect([text, encoding, typeof taken === 'object' ? taken.length : taken]).toEqual([
        text,
        encoding,
        expected,
      ])
      expect(shelf.kept.length).toBeLessThanOrEqual(expected === 'too large' ? 0 : 1)
      expect(shelf.most()).toBeLessThanOrEqual(16)
      await content.close()
      expect(shelf.open()).toBe(0)
    }
  }
})
