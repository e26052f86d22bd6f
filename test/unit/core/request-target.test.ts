import { expect, test } from 'vitest'
import { addressOf, pathOf, queryPartOf } from '../../../server/core/request-target.ts'

const root = 'http://localhost:7420'

test.each([
  ['/', `${root}/`],
  ['/a?b=c', `${root}/a?b=c`],
  ['//', `${root}//`],
  ['//evil.example/a', `${root}//evil.example/a`],
  ['//[]', `${root}//[]`],
  ['//%', `${root}//%`],
  ['a', `${root}/a`],
  ['*', `${root}/*`],
  ['http://other.example/a?b', 'http://other.example/a?b'],
  ['http://[', undefined],
  ['http://a b/', undefined],
])('the target %s is the address %s (RFC 9112 §3.2)', (target, address) => {
  expect(addressOf(target, root)?.href).toBe(address)
})

test('path and query of a target are separated', () => {
  expect(pathOf('/a?b=c?d')).toBe('/a')
  expect(pathOf('/a')).toBe('/a')
  expect([...queryPartOf('/a?b=c?d')]).toEqual([['b', 'c?d']])
  expect([...queryPartOf('/a')]).toEqual([])
})
