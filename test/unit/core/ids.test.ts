import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createIds,
  createSeededIds,
  derivedObjectId,
  derivedUuid,
  type IdPosition,
  seededBytes,
  type SeededIds,
} from '../../../server/core/ids.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe('ids', () => {
  test('ids have the format of the hub (RFC 9562 §5.4 for UUIDs)', () => {
    const ids = createIds()
    expect(ids.objectId()).toMatch(/^[\da-f]{24}$/)
    expect(ids.uuid()).toMatch(uuid)
    expect(ids.alphanumeric(32)).toMatch(/^[A-Za-z\d]{32}$/)
    expect(ids.bytes(7)).toHaveLength(7)
  })

  test('ids are unique', () => {
    const ids = createIds()
    const made = Array.from({ length: 1000 }, () => [ids.objectId(), ids.uuid()]).flat()
    expect(new Set(made).size).toBe(2000)
  })

  test('each letter of an alphabet is equally likely', () => {
    const ids = createIds(seededBytes('frequency'))
    const alphabet = 'CDFGHJKLMNPQRTVWXY3479'
    const count = 22_000
    const text = ids.pick(alphabet, count)
    expect(text).toHaveLength(count)
    for (const letter of alphabet) {
      const share = text.split(letter).length - 1
      expect(share).toBeGreaterThan(850)
      expect(share).toBeLessThan(1150)
    }
  })

  test('ids have any length in any alphabet', () => {
    const ids = createIds(seededBytes(1))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 256 }), fc.nat(50), (size, length) => {
        const alphabet = String.fromCodePoint(...Array.from({ length: size }, (_, i) => 256 + i))
        const text = ids.pick(alphabet, length)
        expect(text).toHaveLength(length)
        for (const letter of text) expect(alphabet).toContain(letter)
      }),
    )
  })

  test('random numbers are in [0, 1)', () => {
    expect(createIds((length) => new Uint8Array(length)).random()).toBe(0)
    expect(createIds((length) => new Uint8Array(length).fill(255)).random()).toBeLessThan(1)
  })
})

describe('seeded bytes', () => {
  const read = (lengths: number[], seed: number) => {
    const bytes = seededBytes(seed)
    return Buffer.concat(lengths.map((length) => bytes(length))).toString('hex')
  }

  test('seeded bytes depend on the seed, not on the requested sizes', () => {
    expect(read([64], 7)).toBe(read([1, 31, 0, 32], 7))
    expect(read([64], 7)).not.toBe(read([64], 8))
  })
})

describe('seeded ids', () => {
  const draw = ({ ids }: SeededIds, ...names: string[]) => ids.of(...names).alphanumeric(32)

  test('seeded ids depend on seed, run and name only', () => {
    const names = [['code', 'app', 'alice'], ['code', 'app', 'bob'], ['code'], ['retry'], []]
    const drawn = fc.array(fc.constantFrom(...names), { maxLength: 40 })
    fc.assert(
      fc.property(drawn, (sequence) => {
        const seeded = createSeededIds(7)
        const nth = new Map<string, string[]>()
        for (const path of sequence) {
          const key = path.join()
          nth.set(key, [...(nth.get(key) ?? []), draw(seeded, ...path)])
        }
        for (const path of names) {
          const alone = createSeededIds(7)
          const expected = (nth.get(path.join()) ?? []).map(() => draw(alone, ...path))
          expect(nth.get(path.join()) ?? []).toEqual(expected)
        }
      }),
    )
  })

  test('different seeds, runs and names give different ids', () => {
    const all = [
      draw(createSeededIds(7), 'a', 'b'),
      draw(createSeededIds(7), 'a","b'),
      draw(createSeededIds(7), 'b', 'a'),
      draw(createSeededIds(7), 'a'),
      draw(createSeededIds(7)),
      draw(createSeededIds(8), 'a', 'b'),
      draw(createSeededIds(7, 1), 'a', 'b'),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  test('seeded ids continue from a saved position', () => {
    const first = createSeededIds(7, 3)
    draw(first, 'code')
    const position = JSON.parse(JSON.stringify(first.position())) as IdPosition
    const next = [draw(first, 'code'), draw(first, 'code'), draw(first, 'never drawn before')]
    const other = createSeededIds(7)
    draw(other, 'code')
    for (const seeded of [first, other]) {
      seeded.seek(position)
      expect([
        draw(seeded, 'code'),
        draw(seeded, 'code'),
        draw(seeded, 'never drawn before'),
      ]).toEqual(next)
    }
    other.rewind()
    expect(draw(other, 'code')).toBe(draw(createSeededIds(7), 'code'))
  })

  test('seeded ids start over without a saved position', () => {
    const seeded = createSeededIds(7)
    const first = draw(seeded, 'code')
    seeded.seek({ generation: 0 })
    expect(draw(seeded, 'code')).toBe(first)
  })
})

describe('ids of fixtures', () => {
  test('ids of fixtures are the same in every run and differ by kind', () => {
    expect(derivedObjectId('user', 'alice')).toBe(derivedObjectId('user', 'alice'))
    expect(derivedObjectId('user', 'alice')).not.toBe(derivedObjectId('organization', 'alice'))
    expect(derivedUuid('app', 'Public app')).toMatch(uuid)
  })
})
