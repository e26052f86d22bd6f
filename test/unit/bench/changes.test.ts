import { expect, test } from 'vitest'
import { describeChanges } from '../../bench/changes.ts'

const result = (what: string, ratio: number) => ({ what, ours: '', baseline: '', ratio })
const columnOf = (...results: ReturnType<typeof result>[]) => ({
  node: { name: 'Node 24.1.0', path: '/node' },
  rows: [{ row: 'row', results }],
})

test('slower and faster rows are named with their ratio and Node', () => {
  const column = columnOf(result('poll', 1.24), result('JWKS', 0.8), result('metadata', 1.09))
  expect(describeChanges([column])).toEqual([
    'Slower by more than 10 %: poll (1.24, Node 24.1.0)',
    'Faster by more than 10 %: JWKS (0.80, Node 24.1.0)',
  ])
})

test('rows within 10 % are no change', () => {
  expect(describeChanges([columnOf(result('poll', 1.1), result('JWKS', 0.9))])).toEqual([
    'No row changed by more than 10 %.',
  ])
})
