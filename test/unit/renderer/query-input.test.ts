import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestSubject } from '../../../server/contract/query/subjects.ts'
import { completeQuery } from '../../../renderer/shared/query/complete-query.ts'
import { filterEntries } from '../../../renderer/shared/query/filter-entries.ts'
import { holdsSecret } from '../../../renderer/shared/query/use-draft.ts'
import { requestItem } from '../../helpers/query-items.ts'

const names = new Map([
  ['user', ['alice', 'bob']],
  ['app', ['Team board', 'c-1']],
])
const known = (key: string) => names.get(key)
const complete = (text: string, caret = text.length) =>
  completeQuery('requests', text, caret, known)
const words = (text: string) => complete(text).map(({ word }) => word)

describe('completions', () => {
  test('are the keys that start with the word at the caret', () => {
    expect(words('st')).toEqual(['status:'])
    expect(words('x ')).toContain('kind:')
    expect(complete('-st')[0]).toMatchObject({ word: 'status:', text: '-status:', caret: 8 })
  })

  test('are the values of a key, quoted where they must be', () => {
    expect(words('user:')).toEqual(['user:alice', 'user:bob'])
    expect(words('app:bo')).toEqual(['app:"Team board"'])
    expect(words('app:"Team b')).toEqual(['app:"Team board"'])
    expect(words('is:')).toEqual(['is:refused', 'is:broken', 'is:audit'])
    expect(words('stauts:')).toEqual([])
  })

  test('replace the word around the caret and keep the others', () => {
    const [found] = complete('x user:aliec status:4xx', 'x user:al'.length)
    expect(found).toMatchObject({ text: 'x user:alice status:4xx', caret: 'x user:alice '.length })
  })

  test('leave all other words as they are', () => {
    const part = fc.constantFrom('user:', 'a', ' ', '-', '"', ',', 'app:', 'x')
    fc.assert(
      fc.property(fc.array(part), fc.nat(), (parts, place) => {
        const text = parts.join('')
        const caret = place % (text.length + 1)
        for (const completion of complete(text, caret)) {
          expect(completion.text.slice(0, completion.caret)).toContain(completion.word)
          expect(completion.caret).toBeLessThanOrEqual(completion.text.length)
        }
      }),
    )
  })
})

test('a query that is being typed never empties the list', () => {
  const entries = [requestItem()]
  const whole =
    'status:>=400 user:"alice" took:<1s from:10m route:/oauth/* app:"Team board" expired'
  const context = { now: Date.parse('2026-05-01T10:05:00.000Z'), known }
  for (let length = 0; length <= whole.length; length++) {
    const text = whole.slice(0, length)
    const found = filterEntries('requests', text, context, entries, requestSubject)
    expect.soft([text, found.entries.length]).toEqual([text, 1])
  }
  const none = filterEntries('requests', 'app ', context, entries, requestSubject)
  expect(none.entries).toEqual([])
})

test('a token is recognized, so that it never appears in a URL', () => {
  expect(['hf_sandbox_alice', 'text:eyJhbGciOiJSUzI1NiJ9'].map(holdsSecret)).toEqual([true, true])
  expect(['/oauth', 'hf', 'user:alice'].map(holdsSecret)).toEqual([false, false, false])
})
