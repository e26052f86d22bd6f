import {
  array,
  assert,
  constantFrom,
  integer,
  oneof,
  property,
  tuple,
  uint8Array,
} from 'fast-check'
import { expect, test } from 'vitest'
import { collectContent } from '../../../server/hub/line-content.ts'

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

test('reads what is base64, what almost is and what is none, however it is cut (RFC 4648 §4)', () => {
  const collected = collectContent()
  assert(
    property(almost, integer({ min: 1, max: 20 }), (text, size) => {
      const raw = Buffer.from(text)
      for (const encoding of ['base64', 'utf-8'] as const) {
        collected.begin()
        for (let at = 0; at < raw.length; at += size) {
          // Its memory is another's as soon as it was given.
          const chunk = Buffer.from(raw.subarray(at, at + size))
          collected.write(chunk)
          chunk.fill('!')
        }
        const expected = encoding === 'utf-8' ? raw : strictBase64(text)
        expect(collected.read(encoding)?.toString('latin1')).toBe(expected?.toString('latin1'))
      }
    }),
    { numRuns: 1000 },
  )
})

test('has the size of what it keeps', () => {
  const collected = collectContent()
  collected.begin()
  collected.write(Buffer.from('aGVsbG8'))
  expect(collected.size).toBe(3)
  collected.write(Buffer.from('='))
  expect(collected.size).toBe(5)
  collected.write(Buffer.from('!'))
  expect(collected.size).toBe(9)
})
