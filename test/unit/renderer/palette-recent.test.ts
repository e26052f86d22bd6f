import { expect, test } from 'vitest'
import { recentFirst } from '../../../renderer/app/palette-recent.ts'

const item = (id: string) => ({ id, label: id, icon: 'check' as const, words: '', run: () => {} })
const groups = [
  { title: 'Go to', items: ['a', 'b', 'c'].map(item) },
  { title: 'Do', items: ['x', 'y'].map(item) },
  { title: 'Desktop', items: [] },
]
const shown = (recent: string[], query: string) =>
  recentFirst(groups, recent, query).map(({ title, items }) => [
    title,
    ...items.map(({ id }) => id),
  ])

test('before anything is typed, what was run lately stands above all, once', () => {
  expect(shown(['y', 'gone', 'b'], '')).toEqual([
    ['Recent', 'y', 'b'],
    ['Go to', 'a', 'c'],
    ['Do', 'x'],
  ])
  expect(shown([], ' ')).toEqual([
    ['Go to', 'a', 'b', 'c'],
    ['Do', 'x', 'y'],
  ])
})

test('while one types, it stands first in its group', () => {
  expect(shown(['y', 'c'], 'q')).toEqual([
    ['Go to', 'c', 'a', 'b'],
    ['Do', 'y', 'x'],
  ])
})
