import { expect, test } from 'vitest'
import { kindOf, type Read } from '../../../../server/cli/program/kinds.ts'

test('the latest snapshot is the last one, also under a frozen clock', async () => {
  const items = [
    { name: 'first', createdAt: '2030-01-01T00:00:00.000Z' },
    { name: 'second', createdAt: '2030-01-01T00:00:00.000Z' },
    { name: 'earlier', createdAt: '2029-01-01T00:00:00.000Z' },
  ]
  const read = (() => Promise.resolve({ items })) as unknown as Read
  expect(await kindOf('snapshot', read).ids()).toEqual(['second', 'first', 'earlier'])
})
