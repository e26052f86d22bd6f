import { expect, test } from 'vitest'
import {
  cleanName,
  isViewList,
  longestName,
  mostViews,
  pathOfView,
  type SavedView,
  withoutView,
  withView,
} from '../../../renderer/shared/query/saved-views.ts'

const view = (name: string, query = 'status:4xx'): SavedView => ({ list: 'requests', name, query })

test('a view is saved once for a name of its list, and deleted by it', () => {
  const views = withView(withView([], view('a')), { ...view('a'), list: 'flows' })
  expect(views).toHaveLength(2)
  expect(withView(views, view('a', 'is:refused'))).toEqual([
    { ...view('a'), list: 'flows' },
    view('a', 'is:refused'),
  ])
  expect(withoutView(views, view('a'))).toEqual([{ ...view('a'), list: 'flows' }])
})

test('the oldest of too many views is dropped', () => {
  const many = Array.from({ length: mostViews }, (_, index) => view(String(index)))
  const views = withView(many, view('new'))
  expect(views).toHaveLength(mostViews)
  expect(views[0]?.name).toBe('1')
})

test.each([
  ['  two\nlines\u0000\u202E ', 'two lines'],
  ['W'.repeat(500), 'W'.repeat(longestName / 2)],
  ['👩🏽'.repeat(100), '👩🏽'.repeat(longestName / 4)],
  ['\u200B\t', ''],
])('the name %j is kept as one short line', (typed, name) => {
  expect(cleanName(typed)).toBe(name)
  expect(isViewList([view(cleanName(typed) || 'x')])).toBe(true)
})

test.each([
  [[{ list: 'constructor', name: 'a', query: '' }]],
  [[{ list: 'requests', name: '', query: '' }]],
  [[{ list: 'requests', name: 'a'.repeat(longestName + 1), query: '' }]],
  [[{ list: 'requests', name: 'a', query: 'q'.repeat(2001) }]],
  [[{ list: 'requests', name: 1, query: '' }]],
  [[null]],
  [{}],
])('the stored value %j is no list of views', (stored) => {
  expect(isViewList(stored)).toBe(false)
})

test('a view opens its list with the query', () => {
  expect(pathOfView(view('a', 'user:"a&b" #1'))).toBe('/requests?q=user%3A%22a%26b%22%20%231')
  expect(pathOfView({ ...view('a'), list: 'flows' })).toBe('/sign-ins?q=status%3A4xx')
})
