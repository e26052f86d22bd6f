import { expect, test } from 'vitest'
import { bestFirst } from '../../../renderer/app/palette-rank.ts'
import type { PaletteItem } from '../../../renderer/ui/palette.tsx'

const item = (label: string, words = '', found = false): PaletteItem => ({
  id: label,
  label,
  icon: 'play',
  words,
  ...(found && { found: true as const }),
  run: () => {},
})

const ranked = (query: string, ...groups: PaletteItem[][]) =>
  bestFirst(
    groups.map((items, index) => ({ title: `${index}`, items })),
    query,
  ).map(({ title, items }) => `${title}: ${items.map(({ label }) => label).join(', ')}`)

test('labels whose words begin as typed come first, then other words, parts and letters', () => {
  expect(
    ranked('to', [
      item('Restore'),
      item('Automatic'),
      item('Export', 'tokens'),
      item('Create a token'),
    ]),
  ).toEqual(['0: Create a token, Export, Restore, Automatic'])
  expect(ranked('pal', [item('Principal'), item('Open the palette')])).toEqual([
    '0: Open the palette, Principal',
  ])
  expect(ranked('aoc', [item('Advance our clock'), item('Nothing')])).toEqual([
    '0: Advance our clock',
  ])
})

test('the group with the best match comes first, and equal ones keep their order', () => {
  expect(
    ranked('re', [item('Store'), item('Core')], [item('Reset'), item('Replay')], [item('Repos')]),
  ).toEqual(['1: Reset, Replay', '2: Repos', '0: Store, Core'])
})

test('search results stay whatever their label, after labels that begin as typed', () => {
  expect(ranked('abc', [item('x-1', '', true)], [item('Abc page')])).toEqual([
    '1: Abc page',
    '0: x-1',
  ])
})

test('"+8h" finds its command', () => {
  expect(ranked('+8h', [item('Advance the clock by 8 hours', 'clock +8h')])).toHaveLength(1)
})
