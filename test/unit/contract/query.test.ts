import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileQuery, type QueryContext } from '../../../server/contract/query/compile-query.ts'
import { valueOfKey, withChoices, withKey } from '../../../server/contract/query/edit-query.ts'
import { queryKeys, queryLists } from '../../../server/contract/query/query-keys.ts'
import { queryWord, readTerms } from '../../../server/contract/query/read-terms.ts'
import {
  deliverySubject,
  flowSubject,
  requestSubject,
} from '../../../server/contract/query/subjects.ts'
import { flowItem, queriedDelivery, requestItem } from '../../helpers/query-items.ts'

const known = new Map([
  ['user', ['alice', 'bob']],
  ['app', ['Team board', 'c-1', 'Team']],
  ['webhook', ['Training bot', 'w1']],
])
const context: QueryContext = {
  now: Date.parse('2026-05-01T10:05:00.000Z'),
  known: (key) => known.get(key),
}
const subjects = {
  requests: requestSubject(requestItem()),
  flows: flowSubject(flowItem()),
  deliveries: deliverySubject(queriedDelivery(), {
    name: 'Training bot',
    target: 'http://localhost:9000/hook',
    owner: 'alice',
  }),
}
type List = keyof typeof subjects

const fits = (list: List, text: string) => {
  const { test: isFit, issues } = compileQuery(list, text, context)
  return issues[0]?.message ?? isFit(subjects[list])
}
const problems = (list: List, text: string) =>
  compileQuery(list, text, context).issues.map(({ message }) => message)

describe('a query of requests', () => {
  test.each([
    '',
    'kind:oauth',
    'status:400',
    'status:4xx',
    'status:40x',
    'status:4',
    'status:>=400 status:<500',
    'status:404,400',
    'app:"Team board"',
    'app:c-1',
    'app:board',
    'user:ALICE',
    'user:ali',
    'method:post',
    'route:/oauth/token',
    'route:/oauth',
    'route:/*/token',
    'error:grant',
    'grant:authorization',
    'flow:f1',
    'is:refused',
    'took:>100ms',
    'took:120ms',
    'took:<1s',
    'from:10m',
    'last 10m',
    'last:10m',
    'from:10:00 to:10:01',
    'from:2026-05-01 to:2026-05-01T10:00Z',
    'after:2026-05-01T12:00+02:00',
    'to:5m',
    'expired "POST /oauth"',
    '-user:bob -is:broken -whoami',
    '- -" ""',
  ])('includes it: %s', (text) => {
    expect(fits('requests', text)).toBe(true)
  })

  test.each([
    'kind:api',
    'status:404',
    'status:>400',
    'app:Team',
    'user:bob',
    'route:"/oauth"',
    'route:/api/*',
    'is:broken',
    'took:>120ms',
    'from:4m',
    'to:09:59:59',
    'from:2026-05-02',
    '-expired',
    '-last 10m',
    'user:alice whoami',
    'http://localhost',
    '"expired code"',
  ])('excludes it: %s', (text) => {
    expect(fits('requests', text)).toBe(false)
  })
})

describe('a query of sign-ins', () => {
  test.each([
    ['kind:code status:completed app:c-1 user:alice', true],
    ['status:2xx', true],
    ['status:4xx', false],
    ['outcome:refused', false],
    ['status:denied', false],
    ['status:expired', false],
    ['is:audit', false],
    ['took:>20s', true],
    ['from:10:00:20', true],
    ['to:10:00:10', true],
    ['from:10:01', false],
    ['r1', true],
  ])('%s: %s', (text, expected) => {
    expect(fits('flows', text)).toBe(expected)
  })
})

describe('a query of deliveries', () => {
  test.each([
    ['status:failed status:5xx code:503 state:failed,waiting', true],
    ['status:succeeded', false],
    ['kind:repo.* scope:repo.content action:update', true],
    ['kind:repo', true],
    ['kind:"repo"', false],
    ['kind:discussion.*', false],
    ['webhook:bot user:alice', true],
    ['webhook:w1', true],
    ['repo:acme repo:datasets/acme/*', true],
    ['repo:acme.corpus', false],
    ['attempt:>1 attempt:3 attempt:<=3', true],
    ['took:>1s', true],
    ['error:http source:retry', true],
    ['is:edited', false],
    ['"localhost:9000"', true],
    ['corpus e1 training', true],
    ['event:e1', true],
    ['event:e2,e1', true],
    ['event:e2', false],
  ])('%s: %s', (text, expected) => {
    expect(fits('deliveries', text)).toBe(expected)
  })

  test('a delivery that waits for a retry is found by the word that lists show', () => {
    const { test: isFit } = compileQuery('deliveries', 'status:failing', context)
    expect(isFit(deliverySubject(queriedDelivery({ state: 'waiting' }), undefined))).toBe(true)
  })

  test('a job that was recorded only is found as not run, and has not succeeded', () => {
    const recorded = queriedDelivery({ state: 'succeeded', recorded: true })
    const fitsRecorded = (text: string) =>
      compileQuery('deliveries', text, context).test(deliverySubject(recorded, undefined))
    expect(['status:not-run', 'status:"not run"', 'status:succeeded'].map(fitsRecorded)).toEqual([
      true,
      true,
      false,
    ])
  })

  test('an open delivery is failing once an attempt has ended, whatever it waits for', () => {
    const results = (['held', 'queued', 'sending', 'waiting'] as const).map((state) =>
      [true, false].map((hasEnded) => {
        const subject = deliverySubject(queriedDelivery({ state, hasEnded }), undefined)
        const isFound = (word: string) =>
          compileQuery('deliveries', `status:${word}`, context).test(subject)
        return [isFound('failing'), isFound('pending'), isFound('failed')]
      }),
    )
    for (const [ended] of results) expect(ended).toEqual([true, false, false])
    for (const [, fresh] of results.slice(0, 3)) expect(fresh).toEqual([false, true, false])
  })

  test('a quoted error is the whole of it', () => {
    const row = queriedDelivery({ errorClass: 'connect_timeout' })
    const isFit = (text: string) =>
      compileQuery('deliveries', text, context).test(deliverySubject(row, undefined))
    expect([isFit('error:timeout'), isFit('error:"timeout"')]).toEqual([true, false])
  })

  test('an attempt that did not reach the receiver has no response time', () => {
    const row = queriedDelivery({ errorClass: 'connection_refused', durationMs: 1 })
    const { test: isFit } = compileQuery('deliveries', 'took:<1s', context)
    expect(isFit(deliverySubject(row, undefined))).toBe(false)
  })
})

describe('an invalid query', () => {
  test('names each word, its position and the fix', () => {
    expect(
      problems(
        'requests',
        'stauts:4xx user:alcie method:PSOT status:many is:refusd from:lunch took:5 user: webhook:x',
      ),
    ).toMatchInlineSnapshot(`
      [
        "Unknown key "stauts:" at character 1 (did you mean "status"?). Use kind, status, app, user, method, route, error, reason, grant, flow, model, rule, is, took, from, to, or quote the word to search for text.",
        "Unknown user "alcie" at character 12 (did you mean "alice"?).",
        "Unknown method "PSOT" at character 23 (did you mean "POST"?): use GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS.",
        "Invalid status "many" at character 35: use 404, 4xx or >=400 (0: the connection was cut).",
        "Unknown mark "refusd" at character 47 (did you mean "refused"?): use refused, broken, audit.",
        "Invalid time "lunch" at character 57: use 10m (ago), or a time in UTC such as 14:30 or 2026-05-01T14:30.",
        "Invalid duration "5" at character 68: use a duration with a unit, such as >1s or <200ms.",
        ""user:" at character 75 needs a value: a username.",
        ""webhook:" at character 81 is a key of deliveries, not of requests. Use kind, status, app, user, method, route, error, reason, grant, flow, model, rule, is, took, from, to, or quote the word to search for text.",
      ]
    `)
    expect(compileQuery('requests', 'x  stauts:4xx', context).issues).toMatchObject([
      { start: 3, end: 13 },
    ])
  })

  test('keeps an entry in the list while any word is being typed', () => {
    const whole =
      'status:>=400 user:"alice" took:<1s from:10m route:/oauth/* app:"Team board" -user:bob'
    for (let length = 0; length <= whole.length; length++) {
      const text = whole.slice(0, length)
      // The key itself is text until its colon.
      if (/[ -][a-z]+$|^[a-z]+$/.test(text)) continue
      expect
        .soft([text, compileQuery('requests', text, context).test(subjects.requests)])
        .toEqual([text, true])
    }
  })

  test.each([
    'user:alcie',
    'stauts:4xx',
    'status:4xx is:refusd',
    'took:5 status:4xx',
    'from:lunch user:alice',
    'webhook:x',
    'status:>>',
    'status:4xxx',
    'took:>>1',
    'from:lunch',
    'from:2026-13',
    'rule:>x',
  ])('shows no entry for an unknown word: %s', (text) => {
    expect(compileQuery('requests', text, context).test(subjects.requests)).toBe(false)
  })

  test.each([
    'took:5',
    'took:>',
    'from:2026-',
    'from:2026-05-01T14',
    'from:14:',
    'from:1h3',
    'status:>',
    'status:>=4',
    'rule:>',
    'user:',
    'user: status:4xx',
    '-user:nobody',
  ])('leaves out what is being typed or excludes nothing: %s', (text) => {
    expect(compileQuery('requests', text, context).test(subjects.requests)).toBe(true)
  })

  test.each([
    'user:alice x',
    'from:2026-',
    'user: status:4xx',
    '-user:nobody status:>=400',
    'route:"/oauth/* x',
    'last 5m -method:POST',
    ' a  "b c" ',
    '-',
    '"',
  ])('its valid words are a query that matches the same: %s', (text) => {
    const { valid = expect.fail(), test: isFit } = compileQuery('requests', text, context)
    const again = compileQuery('requests', valid, context)
    expect([again.issues, again.valid]).toEqual([[], valid])
    expect(again.test(subjects.requests)).toBe(isFit(subjects.requests))
  })

  test('that nothing can match has no valid words', () => {
    expect(compileQuery('requests', 'user:alice stauts:4xx', context).valid).toBeUndefined()
    expect(compileQuery('requests', 'user:alice', context).valid).toBe('user:alice')
    expect(compileQuery('requests', '', context).valid).toBe('')
  })

  test('names the known words of a closed set', () => {
    expect(problems('deliveries', 'status:faild')).toEqual([
      'Unknown status "faild" at character 1 (did you mean "failed"?): use succeeded, failing, failed, pending, cancelled, not-run, skipped, queued, sending, paused, held, waiting.',
    ])
    expect(problems('flows', 'status:lost')).toEqual([
      'Unknown status "lost" at character 1: use pending, completed, refused, denied, expired.',
    ])
  })

  test('names no key of Object.prototype', () => {
    expect(problems('requests', 'toString:1 constructor:2')).toHaveLength(2)
  })
})

describe('the words of a query', () => {
  test.each([
    ['status:4xx user:alice last 5m /oauth', ['status:4xx', 'user:alice', 'last 5m', '/oauth']],
    ['app:"Team Dashboard" x', ['app:"Team Dashboard"', 'x']],
    ['"two words', ['"two words']],
    ['app:"the ""A"" app" x', ['app:"the ""A"" app"', 'x']],
    ['last', ['last']],
    ['"last" 5m', ['"last"', '5m']],
    ['last week', ['last', 'week']],
    ['  ', []],
  ])('%s', (text, words) => {
    expect(readTerms(text).map(({ start, end }) => text.slice(start, end))).toEqual(words)
  })

  test('any value is read back as it was', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string(), (value, before) => {
        fc.pre(before.split('"').length % 2 === 1)
        const terms = readTerms(`${before} ${queryWord('app', value)} after`)
        expect(terms.at(-2)).toMatchObject({ key: 'app', values: [{ text: value }] })
      }),
    )
  })

  test('words stand in order, apart from each other, and have no space at their ends', () => {
    const part = fc.constantFrom('status:', '4xx', '-', '"', ' ', 'last', '5m', ',', 'x', '\t', ':')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        let end = 0
        for (const term of readTerms(text)) {
          expect(term.start).toBeGreaterThanOrEqual(end)
          expect(term.end).toBeGreaterThan(term.start)
          end = term.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
        for (const list of queryLists) {
          for (const key of Object.keys(queryKeys[list])) withKey(list, text, key, 'x y')
          expect(valueOfKey(list, withKey(list, text, 'user', 'x y'), 'user')).toBe('x y')
        }
      }),
    )
  })
})

test('a key is set, changed and removed; an alias counts as the key', () => {
  const once = withKey('deliveries', 'corpus state:failed -status:held', 'status', 'waiting')
  expect(once).toBe('corpus -status:held status:waiting')
  expect(valueOfKey('deliveries', once, 'status')).toBe('waiting')
  expect(withKey('deliveries', once, 'status', '')).toBe('corpus -status:held')
  expect(valueOfKey('deliveries', 'status:failed,waiting', 'status')).toBe('')
})

test('choices beside a query become words of it, and narrow it further', () => {
  expect(withChoices('corpus', { kind: '', status: '' })).toBe('corpus')
  expect(withChoices('', { kind: 'device-code', status: 'refused' })).toBe(
    'kind:device-code status:refused',
  )
  const text = withChoices('status:5xx "acme cor', { status: 'failed' })
  expect(text).toBe('status:5xx "acme cor" status:failed')
  expect(readTerms(text)).toHaveLength(3)
})
