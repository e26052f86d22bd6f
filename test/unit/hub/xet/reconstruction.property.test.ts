import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reconstruct, sentLength, writeXorb } from '../../../../server/hub/xet/reconstruction.ts'
import { readXorb } from '../../../../server/hub/xet/xorb.ts'
import { ChunkTable, formatChunks } from '../../../../server/store/objects/chunk-table.ts'
import type { XetFile, XetTerm } from '../../../../server/store/objects/xet-contents.ts'

interface Xorb {
  readonly name: string
  readonly table: ChunkTable
  readonly content: Buffer
}

const xorbs: fc.Arbitrary<Xorb[]> = fc
  .array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((lists) =>
    lists.map((lengths, number) => {
      const chunks = lengths.map((length) => ({ hash: Buffer.alloc(32, length), length }))
      const size = lengths.reduce((sum, length) => sum + length, 0)
      return {
        name: String(number),
        table: new ChunkTable(formatChunks(chunks).subarray(0, -4)),
        content: Buffer.from(Array.from({ length: size }, (_, at) => number * 50 + at)),
      }
    }),
  )

/** A file of random ranges of chunks, and a random part of it. */
const cases = xorbs.chain((all) =>
  fc
    .array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 })
    .chain((picks) => {
      const terms = picks.map(([which, a, b]): XetTerm => {
        const { name, table } = all[which % all.length]!
        const start = a % table.count
        const end = start + 1 + (b % (table.count - start))
        const from = table.startOf(start)
        return { xorb: name, start, end, from, bytes: table.startOf(end) - from }
      })
      const size = terms.reduce((sum, { bytes }) => sum + bytes, 0)
      return fc.record({
        all: fc.constant(all),
        file: fc.constant<XetFile>({ hash: '', size, terms }),
        first: fc.nat({ max: size - 1 }),
        more: fc.nat({ max: size - 1 }),
      })
    }),
)

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  // In small pieces, as a disk may give them.
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3)
}

const sent = async (
  { table, content }: Xorb,
  { first, last }: { first: number; last: number },
): Promise<Buffer> => {
  const open = ({ start, end }: { start: number; end: number }) =>
    only(content.subarray(start, end))
  const parts: Uint8Array[] = []
  for await (const part of writeXorb(table, open, { first, last })) parts.push(part)
  return Buffer.concat(parts)
}

test('any part of any file is what its chunks give, as a client puts them together', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ all, file, first, more }) => {
      const byName = new Map(all.map((xorb) => [xorb.name, xorb]))
      const whole = Buffer.concat(
        file.terms.map(({ xorb, from, bytes }) =>
          byName.get(xorb)!.content.subarray(from, from + bytes),
        ),
      )
      const last = Math.min(first + more, file.size - 1)
      const found = reconstruct(file, (xorb) => byName.get(xorb)!.table, { first, last })
      const parts: Buffer[] = []
      for (const term of found.terms) {
        const bytes = await sent(byName.get(term.xorb)!, term.sent)
        const contents: Buffer[] = []
        for await (const { content } of readXorb(only(bytes))) contents.push(content)
        expect(contents).toHaveLength(term.end - term.start)
        expect(Buffer.concat(contents)).toHaveLength(term.bytes)
        parts.push(...contents)
      }
      const got = Buffer.concat(parts).subarray(found.skipped, found.skipped + last + 1 - first)
      expect(got).toEqual(whole.subarray(first, last + 1))
    }),
    { numRuns: 300 },
  ))

test('any part of a sent xorb is that part of the whole', () =>
  fc.assert(
    fc.asyncProperty(xorbs, fc.nat(), fc.nat(), async ([xorb], a, b) => {
      const size = sentLength(xorb!.table)
      const whole = await sent(xorb!, { first: 0, last: size - 1 })
      expect(whole).toHaveLength(size)
      const first = a % size
      const last = first + (b % (size - first))
      expect(await sent(xorb!, { first, last })).toEqual(whole.subarray(first, last + 1))
    }),
    { numRuns: 300 },
  ))
