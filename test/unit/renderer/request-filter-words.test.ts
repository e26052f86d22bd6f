import { expect, test } from 'vitest'
import {
  chosenWords,
  offeredWords,
  withOffered,
} from '../../../renderer/features/requests/model/filter-words.ts'

test('offered words are added to typed ones and removed again', () => {
  const line = withOffered(offeredWords, '/oauth user:bob', ['status:4xx'])
  expect(line).toBe('/oauth user:bob status:4xx')
  expect(chosenWords(offeredWords, line)).toEqual(['status:4xx'])
  expect(withOffered(offeredWords, line, [])).toBe('/oauth user:bob')
})

test('an offered word replaces another of its key, typed ones too', () => {
  expect(withOffered(offeredWords, 'status:4xx x', ['status:4xx', 'status:5xx'])).toBe(
    'x status:5xx',
  )
  expect(withOffered(offeredWords, 'status:404 -status:500 x', ['status:5xx'])).toBe(
    '-status:500 x status:5xx',
  )
  expect(withOffered(offeredWords, 'last 5m', ['from:5m', 'from:1h'])).toBe('from:1h')
  expect(chosenWords(offeredWords, 'last 5m -is:refused')).toEqual(['from:5m'])
})
