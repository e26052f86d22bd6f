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
const row = fc.record({
  numbers: fc.tuple(fc.double(), fc.integer()),
  texts: fc.array(fc.option(text, { nil: undefined }), { maxLength: 6 }),
})

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
          expect(all(rows)).toEqual(kept)
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
      for (let i = 0; i < count; i += 1) rows.push({ numbers: [i], texts: ['x'.repeat(3000)] })
    }
    push(200)
    const before = process.memoryUsage().arrayBuffers
    push(20_000)
    // 100 rows of 3 KB lie in a handful of pages; those of all 20,000 would be 60 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000)
  })
})
