import { expect, test } from 'vitest'
import {
  bodyFacts,
  compareFacts,
  headerFacts,
  queryFacts,
} from '../../../renderer/shared/compare/compare-facts.ts'

const facts = (names: string) =>
  names.split('').map((name) => ({ section: 's', name: name.toLowerCase(), value: name }))
const shown = (before: string, after: string) =>
  compareFacts(facts(before), facts(after))
    .map((row) => `${row.before ?? '-'}${row.after ?? '-'}`)
    .join(' ')

test('facts stand beside each other, and removed ones where they were', () => {
  expect(shown('abc', 'abc')).toBe('aa bb cc')
  expect(shown('abc', 'aBd')).toBe('aa bB c- -d')
  expect(shown('xya', 'a')).toBe('x- y- aa')
  expect(compareFacts(facts('ab'), facts('aB')).map(({ isSame }) => isSame)).toEqual([true, false])
})

test('a header that is there twice is compared twice', () => {
  const [before, after] = [['a=1', 'b=2'], ['a=1']].map((values) =>
    headerFacts(
      'h',
      values.map((value): [string, string] => ['Set-Cookie', value]),
    ),
  )
  expect(
    compareFacts(before ?? [], after ?? []).map((row) => [row.name, row.before, row.after]),
  ).toEqual([
    ['set-cookie', 'a=1', 'a=1'],
    ['set-cookie', 'b=2', undefined],
  ])
})

test.each([
  ['{"a":{"b":[1,null]},"c":[]}', ['/a/b/0=1', '/a/b/1=null', '/c=[0]']],
  ['grant_type=refresh_token&scope=a%20b', ['grant_type=refresh_token', 'scope=a b']],
  ['not a form = but text', ['=not a form = but text']],
  ['', []],
])('the body %s is compared value by value', (body, values) => {
  expect(bodyFacts('b', body).map(({ name, value }) => `${name}=${value}`)).toEqual(values)
})

test('parameters of a query are compared by name', () => {
  expect(queryFacts('q', '/x?state=1&a=%3F?').map(({ name, value }) => [name, value])).toEqual([
    ['state', '1'],
    ['a', '??'],
  ])
  expect(queryFacts('q', '/x')).toEqual([])
})
