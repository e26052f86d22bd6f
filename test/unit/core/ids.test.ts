import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createIds, derivedObjectId, derivedUuid, seededBytes } from '../../../server/core/ids.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe('ids', () => {
  test('have the form of the hub (RFC 9562 §5.4 for UUIDs)', () => {
    const ids = createIds()
    expect(ids.objectId()).toMatch(/^[\da-f]{24}$/)
    expect(ids.uuid()).toMatch(uuid)
    expect(ids.alphanumeric(32)).toMatch(/^[A-Za-z\d]{32}$/)
    expect(ids.bytes(7)).toHaveLength(7)
  })

  test('do not come twice', () => {
    const ids = createIds()
    const made = Array.from({ length: 1000 }, () => [ids.objectId(), ids.uuid()]).flat()
    expect(new Set(made).size).toBe(2000)
  })

  test('pick each letter of an alphabet equally often', () => {
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

  test('give any length of any alphabet', () => {
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

  test('give numbers in [0, 1)', () => {
    expect(createIds((length) => new Uint8Array(length)).random()).toBe(0)
    expect(createIds((length) => new Uint8Array(length).fill(255)).random()).toBeLessThan(1)
  })
})

describe('seeded bytes', () => {
  const read = (lengths: number[], ...seed: Parameters<typeof seededBytes>) => {
    const bytes = seededBytes(...seed)
    return Buffer.concat(lengths.map((length) => bytes(length))).toString('hex')
  }

  test('follow from the seed, whatever the sizes that are asked for', () => {
    expect(read([64], 7)).toBe(read([1, 31, 0, 32], 7))
    expect(read([64], 7)).not.toBe(read([64], 8))
  })

  test('differ in each run of one data folder', () => {
    expect(read([64], 7, 0)).not.toBe(read([64], 7, 1))
  })
})

describe('ids of what the fixtures name', () => {
  test('are the same in every run, and tell kinds apart', () => {
    expect(derivedObjectId('user', 'alice')).toBe(derivedObjectId('user', 'alice'))
    expect(derivedObjectId('user', 'alice')).not.toBe(derivedObjectId('organization', 'alice'))
    expect(derivedUuid('app', 'Public app')).toMatch(uuid)
  })
})
