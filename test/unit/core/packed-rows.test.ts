import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPackedRows, type PackedRow } from '../../../server/core/packed-rows.ts'

const all = (rows: ReturnType<typeof createPackedRows>) =>
  Array.from({ length: rows.length }, (_, index) => rows.at(index))

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  // A row may be larger than a page, or just not fit into what is left of one.
  fc.integer({ min: 0, max: 70_000 }).map((length) => 'é'.repeat(length)),
)
const longText = fc.integer({ min: 0, max: 30 }).map((number) => `${number}\ud83d`.padEnd(300))
const row = fc.record({
  numbers: fc.tuple(fc.double(), fc.integer()),
  // Some long ones come again and again, more than have a place of their own.
  texts: fc.array(fc.option(fc.oneof(text, longText), { nil: undefined }), { maxLength: 6 }),
})

const wellFormed = (part: string | undefined) => part?.replaceAll(/\p{Surrogate}/gu, '\ufffd')

describe('packed rows', () => {
  test('are the latest that were pushed, as they were', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 }),
        fc.array(fc.option(row, { freq: 20 }), { maxLength: 40 }),
        (cap, steps) => {
          const rows = createPackedRows(cap, 2)
          let kept: PackedRow[] = []
          for (const step of steps) {
            if (step === null) rows.clear()
            else rows.push(step)
            kept = step === null || cap === 0 ? [] : [...kept, step].slice(-cap)
            expect(rows).toHaveLength(kept.length)
          }
          expect(all(rows)).toEqual(
            kept.map(({ numbers, texts }) => ({ numbers, texts: texts.map(wellFormed) })),
          )
          expect(kept.map((_, index) => rows.numberAt(index, 1))).toEqual(
            kept.map(({ numbers }) => numbers[1]),
          )
        },
      ),
    )
  })

  test('split no character, and keep the place of a half one', () => {
    const rows = createPackedRows(2, 0)
    rows.push({
      numbers: [],
      texts: ['\ud83d', '\ude00', '\ud83d', '', undefined, 'a\0b', '\ufeffc'],
    })
    expect(rows.at(0)?.texts).toEqual([
      '\ud83d',
      '\ude00',
      '\ufffd',
      '',
      undefined,
      'a\0b',
      '\ufeffc',
    ])
  })

  test('there is none before the first and after the last', () => {
    const rows = createPackedRows(3, 1)
    for (const number of [1, 2, 3, 4]) rows.push({ numbers: [number], texts: [] })
    expect([-1, 3].map((index) => rows.at(index))).toEqual([undefined, undefined])
    expect([-1, 0, 2, 3].map((index) => rows.numberAt(index, 0))).toEqual([
      undefined,
      2,
      4,
      undefined,
    ])
  })

  test('however many come, take the memory of those that are kept', () => {
    const rows = createPackedRows(100, 1)
    const push = (count: number) => {
      for (let i = 0; i < count; i += 1)
        rows.push({ numbers: [i], texts: [String(i).padEnd(3000)] })
    }
    push(200)
    const before = process.memoryUsage().arrayBuffers
    push(20_000)
    // 100 rows of 3 KB lie in a handful of pages; those of all 20,000 would be 60 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000)
  })

  test('have a long text that comes again and again but once', () => {
    const rows = createPackedRows(5000, 1)
    const before = process.memoryUsage().arrayBuffers
    // Made anew each time, as an answer is.
    const answer = (of: number) => `${of % 3} `.padEnd(10_000, String(of % 3))
    for (let i = 0; i < 12_000; i += 1) rows.push({ numbers: [i], texts: ['GET', answer(i)] })
    // 5,000 rows of 10 KB would be 50 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000)
    expect([0, 1, 2, 4999].map((index) => rows.at(index))).toEqual(
      [7000, 7001, 7002, 11_999].map((i) => ({ numbers: [i], texts: ['GET', answer(i)] })),
    )
  })

  test('make room for other long texts when those before are gone', () => {
    const rows = createPackedRows(500, 1)
    const before = process.memoryUsage().arrayBuffers
    const answer = (of: number) => `${of}`.padEnd(10_000)
    for (let i = 0; i < 20_000; i += 1)
      rows.push({ numbers: [i], texts: [answer((i % 100) >> 4), answer(Math.floor(i / 100))] })
    // 500 rows of 20 KB would be 10 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000)
  })

  test('keep a repeated text for as long as one of them has it', () => {
    const rows = createPackedRows(40, 1)
    const texts = Array.from({ length: 60 }, (_, number) => String(number).padEnd(400, '.'))
    const pushed = texts.flatMap((part, number) =>
      [part, part].map((twice) => ({ numbers: [number], texts: [twice, 'x', twice] })),
    )
    for (const [index, pushedRow] of pushed.entries()) {
      rows.push(pushedRow)
      expect(all(rows)).toEqual(pushed.slice(Math.max(0, index - 39), index + 1))
    }
  })
})
