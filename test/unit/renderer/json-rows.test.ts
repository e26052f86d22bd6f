import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from '../../../renderer/lib/pretty-json.ts'
import { hasText, jsonRows, jsPath, parentOf, valueAt } from '../../../renderer/lib/json-rows.ts'

const value = {
  repo: { name: 'acme/corpus', 'head-sha': ['a', 'b'], private: false },
  'a/b~c': null,
  count: 2,
}
const rowsOf = (folded: string[] = [], most = 100) => jsonRows(value, new Set(folded), most)

test('the lines of a tree are its values in their order, with level and members', () => {
  expect(rowsOf()?.map(({ pointer, level, text }) => [pointer, level, text])).toEqual([
    ['', 1, '{3}'],
    ['/repo', 2, '{3}'],
    ['/repo/name', 3, '"acme/corpus"'],
    ['/repo/head-sha', 3, '[2]'],
    ['/repo/head-sha/0', 4, '"a"'],
    ['/repo/head-sha/1', 4, '"b"'],
    ['/repo/private', 3, 'false'],
    ['/a~1b~0c', 2, 'null'],
    ['/count', 2, '2'],
  ])
})

test('a folded value hides what is inside of it', () => {
  expect(rowsOf(['/repo'])?.map(({ pointer }) => pointer)).toEqual([
    '',
    '/repo',
    '/a~1b~0c',
    '/count',
  ])
})

test('a path works as JSON pointer and as JavaScript', () => {
  expect(valueAt(value, '/a~1b~0c')).toBeNull()
  expect(jsPath(value, '/repo/head-sha/1')).toBe('.repo["head-sha"][1]')
  expect(jsPath(value, '/a~1b~0c')).toBe('["a/b~c"]')
  expect(jsPath(value, '')).toBe('')
  expect(parentOf('/repo/name')).toBe('/repo')
  expect(parentOf('/repo')).toBe('')
  expect(parentOf('')).toBeUndefined()
})

test('every line of any JSON leads to its value, by both paths', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const root = JSON.parse(text) as unknown
      for (const { pointer, text: shown, count } of jsonRows(root, new Set(), 10_000) ?? []) {
        const found = valueAt(root, pointer)
        expect(count === undefined ? JSON.stringify(found) : shown).toBe(shown)
        // oxlint-disable-next-line typescript/no-implied-eval
        expect(new Function('root', `return root${jsPath(root, pointer)}`)(root)).toBe(found)
      }
    }),
  )
})

test('names and values are searched, brackets are not', () => {
  const found = (query: string) =>
    rowsOf()
      ?.filter((row) => hasText(row, query))
      .map(({ pointer }) => pointer)
  expect(found('HEAD')).toEqual(['/repo/head-sha'])
  expect(found('corpus')).toEqual(['/repo/name'])
  expect(found('{')).toEqual([])
})

test('JSON that is too long or deep for a tree has none', () => {
  expect(rowsOf([], 8)).toBeUndefined()
  const depth = 50_000
  const text = '['.repeat(depth) + ']'.repeat(depth)
  const deep = JSON.parse(text) as unknown
  expect(jsonRows(deep, new Set(), 2000)).toBeUndefined()
  expect(prettyJson(text)).toEqual({ text })
})
