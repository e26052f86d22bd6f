import { describe, expect, test } from 'vitest'
import { flowFacts } from '../../../renderer/features/sign-ins/model/flow-facts.ts'
import {
  bodyFacts,
  compareFacts,
  type Fact,
  headerFacts,
  queryFacts,
  timingFacts,
} from '../../../renderer/shared/compare/compare-facts.ts'
import { differsByNature } from '../../../renderer/shared/compare/natural-differences.ts'
import { makeFlow, makeStep } from './sample-flows.ts'

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

test('a step that only one side has is one row, where its facts would be', () => {
  const step = (name: string, values: string) =>
    facts(values).map((fact) => ({ ...fact, section: name, step: name }))
  const read = (before: Fact[], after: Fact[]) =>
    compareFacts(before, after).map(({ section, name, isStep, ...row }) =>
      isStep
        ? `${section} ${row.before === undefined ? 'is new' : 'is gone'}`
        : `${section}.${name} ${row.before ?? '-'}${row.after ?? '-'}`,
    )
  const whole = [...facts('a'), ...step('token', 'bcd'), ...step('end', 'e')]
  const short = [...facts('a'), ...step('end', 'E')]
  expect(read(whole, short)).toEqual(['s.a aa', 'token is gone', 'end.e eE'])
  expect(read(short, whole)).toEqual(['s.a aa', 'token is new', 'end.e Ee'])
  expect(read([], whole)).toEqual(['s.a -a', 'token is new', 'end is new'])
})

test('the second step of a name is compared with the second one of the other sign-in', () => {
  const signIn = (...names: string[]) => {
    const steps = names.map((name, index) => ({
      step: makeStep(index, { name }),
      parameters: [],
      tokens: [],
    }))
    return flowFacts(makeFlow(steps.map(({ step }) => step)), steps)
  }
  const rows = compareFacts(signIn('poll', 'poll', 'end'), signIn('poll', 'end'))
  expect(rows.filter(({ isSame, isNatural }) => !isSame && !isNatural)).toMatchObject([
    { section: 'poll (2)', isStep: true },
  ])
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

describe('a difference that explains nothing', () => {
  const at = '2026-05-01T10:00:00.000Z'
  test.each([
    ['x-request-id', 'a', 'b'],
    ['ratelimit', '"api";r=1', undefined],
    ['Date', 'Fri, 01 May 2026', 'Sat, 02 May 2026'],
    ['nonce', '…8jXw', '…Wuu6'],
    ['code_challenge', 'a', 'b'],
    ['/repo/headSha', 'a', 'b'],
    ['/discussion/createdAt', at, at.replace('10', '11')],
    ['/value', `"${at}"`, `"${at.replace('10', '11')}"`],
    ['location', '/cb?code=1&state=2', '/cb?code=3&state=4'],
    ['location', '/login?next=%2Fauthorize%3Fstate%3D1', '/login?next=%2Fauthorize%3Fstate%3D2'],
  ])('is one of %s: %s and %s', (name, before, after) => {
    expect(differsByNature(name, before, after)).toBe(true)
    expect(differsByNature(name, after, before)).toBe(true)
  })

  test.each([
    ['nonce', 'a', undefined],
    ['client_id', 'a', 'b'],
    ['scope', 'openid', 'openid profile'],
    ['Status', '200', '401'],
    ['authorization', 'Bearer hf_…', 'Basic …'],
    ['sub', 'a', 'b'],
    ['location', '/cb?code=1', '/cb?error=access_denied'],
    ['location', '/cb?code=1', '/other?code=2'],
    ['location', '/cb?scope=a', '/cb?scope=b'],
    ['redirect_uri', 'http://localhost/a', 'http://localhost/b'],
  ])('is none of %s: %s and %s', (name, before, after) => {
    expect(differsByNature(name, before, after)).toBe(false)
    expect(differsByNature(name, after, before)).toBe(false)
  })

  test('is told apart in the rows, and times that something took are one', () => {
    const of = (status: string, ms: string, nonce?: string) => [
      { section: 's', name: 'Status', value: status },
      ...(nonce === undefined ? [] : [{ section: 's', name: 'nonce', value: nonce }]),
      ...timingFacts('Timing', { Duration: ms, Nothing: undefined }),
    ]
    const natural = (before: Fact[], after: Fact[]) =>
      compareFacts(before, after).map(({ name, isNatural }) => `${name} ${isNatural}`)
    expect(natural(of('200', '5 ms', 'a'), of('400', '6 ms', 'b'))).toEqual([
      'Status false',
      'nonce true',
      'Duration true',
    ])
    expect(natural(of('200', '5 ms', 'a'), of('200', '5 ms'))).toEqual([
      'Status false',
      'nonce false',
      'Duration false',
    ])
  })
})
