import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines } from '../../../renderer/features/deliveries/model/line-diff.ts'

const numbered = (count: number, of: string) => Array.from({ length: count }, (_, at) => of + at)
const show = (before: string, after: string) =>
  diffLines(before, after)?.map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`,
  )

describe('the lines of two texts', () => {
  test('stand side by side, the removed before the added', () => {
    expect(show('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 3,\n  "b": 2\n}')).toEqual([
      ' {',
      '-  "a": 1,',
      '+  "a": 3,',
      '   "b": 2',
      ' }',
    ])
  })

  test('give both texts again', () => {
    const text = array(constantFrom('', '{', 'a', 'b'), { minLength: 1, maxLength: 12 })
    assert(
      property(text, text, (before, after) => {
        const lines = diffLines(before.join('\n'), after.join('\n')) ?? []
        const without = (kind: string) =>
          lines.filter((line) => line.kind !== kind).map((line) => line.text)
        expect([without('added'), without('removed')]).toEqual([before, after])
      }),
    )
  })

  test('are compared however many they are, unless too many differ', () => {
    const long = numbered(10_000, 'line ')
    const changed = long.with(5000, 'changed')
    expect(show(long.join('\n'), changed.join('\n'))).toHaveLength(10_001)
    const other = numbered(1500, 'other ')
    expect(diffLines(numbered(1500, 'line ').join('\n'), other.join('\n'))).toBeUndefined()
  })
})
