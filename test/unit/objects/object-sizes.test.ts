import { expect, test } from 'vitest'
import { ObjectSizes } from '../../../server/objects/object-sizes.ts'

test('sizes of one id are apart for each repo', () => {
  const sizes = new ObjectSizes()
  sizes.set('one', 'a', 1)
  sizes.set('other', 'a', 2)
  sizes.delete('one', 'a')
  sizes.delete('third', 'a')
  expect([sizes.get('one', 'a'), sizes.get('other', 'a')]).toEqual([undefined, 2])
})

test('sizes are all forgotten when one more has no room, each counted once', () => {
  const sizes = new ObjectSizes(3)
  for (const id of ['a', 'a', 'a', 'b', 'c']) sizes.set('one', id, 7)
  expect(['a', 'b', 'c'].map((id) => sizes.get('one', id))).toEqual([7, 7, 7])
  sizes.set('other', 'd', 8)
  expect(['a', 'b', 'c'].map((id) => sizes.get('one', id))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(sizes.get('other', 'd')).toBe(8)
})

test('sizes that are forgotten by themselves, or with their repo, make room for others', () => {
  const sizes = new ObjectSizes(3)
  for (const id of ['a', 'b']) sizes.set('gone', id, 1)
  sizes.set('kept', 'c', 2)
  sizes.clear('gone')
  sizes.clear('gone')
  expect([sizes.get('gone', 'a'), sizes.get('kept', 'c')]).toEqual([undefined, 2])
  sizes.set('kept', 'd', 3)
  sizes.delete('kept', 'd')
  sizes.delete('kept', 'd')
  for (const id of ['e', 'f']) sizes.set('new', id, 4)
  expect([sizes.get('kept', 'c'), sizes.get('new', 'e'), sizes.get('new', 'f')]).toEqual([2, 4, 4])
})
