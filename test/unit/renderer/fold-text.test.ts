import { expect, test } from 'vitest'
import { foldText } from '../../../renderer/features/repos/model/fold-text.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)

test.each([
  ['nothing', ''],
  ['one line', 'a'],
  ['lines that end with a break', 'a\nb\n'],
  ['400 lines', lines(400).join('\n')],
  ['400 lines that end with a break', `${lines(400).join('\n')}\n`],
])('%s is shown whole', (_name, text) => {
  expect(foldText(text)).toEqual({ shown: text, isFolded: false, hiddenLines: 0 })
})

test('more than 400 lines are folded, and it is told how many are left', () => {
  const { shown, isFolded, hiddenLines } = foldText(lines(1000).join('\n'))
  expect(shown.split('\n')).toHaveLength(400)
  expect(shown.endsWith('line 399')).toBe(true)
  expect([isFolded, hiddenLines]).toEqual([true, 600])
})

test('a line without an end is cut', () => {
  const { shown, isFolded, hiddenLines } = foldText('x'.repeat(1_000_000))
  expect([shown.length, isFolded, hiddenLines]).toEqual([40_000, true, 1])
})
