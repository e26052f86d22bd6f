import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../../server/cli/exec/record/compare-runs.ts'
import type { RecordedRequest } from '../../../server/cli/exec/record/run-record.ts'

const clientId = '6f1f6b0e-5b3a-4c1e-9d1a-0d3c5c1c9f01'

/** A request as one run has it: what is made anew each time follows from `run`. */
interface Made {
  run: number
  port?: number
  scope?: string
  returned?: string
}

const hex = (seed: string, length: number) =>
  Buffer.from(seed.padEnd(length, 'x')).toString('hex').slice(0, length)

/** A sign-in, as the log of one run has it. */
function signIn({ run, port = 40_000 + run, scope = 'openid', returned }: Made): RecordedRequest[] {
  const state = `state-${run}`
  const token = `hf_oauth_sandbox_…ab${run}c`
  const callback = `http://localhost:${port}/callback`
  return [
    {
      lane: 'Public app',
      method: 'GET',
      path: `/oauth/authorize?${new URLSearchParams({ client_id: clientId, redirect_uri: callback, state, scope })}`,
      status: 303,
      location: `${callback}?code=…c${run}de&state=${returned ?? state}`,
    },
    {
      lane: 'Public app, alice',
      method: 'POST',
      path: '/oauth/token',
      body: { code: `…c${run}de`, redirect_uri: callback },
      status: 200,
      answer: { access_token: token, expires_in: 28_800, scope },
    },
    {
      lane: 'Public app, alice',
      method: 'GET',
      path: `/oauth/userinfo?now=2026-01-0${(run % 9) + 1}T00:00:00.000Z`,
      authorization: 'Bearer',
      status: 200,
      answer: { sub: hex(`alice${run}`, 24), updated_at: 1_700_000_000 + run, picture: null },
    },
  ]
}

const unseeded = { fixed: new Set([clientId]), isSeeded: false }
const compare = (before: RecordedRequest[], now: RecordedRequest[], options = unseeded) =>
  compareRuns(before, now, options)

describe('two runs', () => {
  test('agree if only ports, times and generated values differ', () => {
    expect(compare(signIn({ run: 1 }), signIn({ run: 2 }))).toBeUndefined()
  })

  test('may have other keys, if the sandbox made them', () => {
    const keySet = (run: number): RecordedRequest => ({
      lane: 'App',
      method: 'GET',
      path: '/oauth/jwks',
      status: 200,
      answer: { keys: [{ kty: 'RSA', e: 'AQAB', kid: `key-${run}`, n: `modulus-${run}` }] },
    })
    const [first, second] = [[keySet(1)], [keySet(2)]]
    expect(compare(first, second)).toBeUndefined()
    expect(compare(first, second, { ...unseeded, isSeeded: true })).toMatchObject({
      what: 'keys[0].kid of its response',
    })
  })

  test('are compared segment by segment, and forks with their counterparts', () => {
    const fork = (number: number, run: number, scope: string) =>
      signIn({ run, scope }).map((request) => ({ ...request, fork: number }))
    const later = (run: number, scope?: string) =>
      signIn({ run, ...(scope === undefined ? {} : { scope }) }).map((request) => ({
        ...request,
        segment: 2,
      }))
    const before = [...signIn({ run: 1 }), ...later(1), ...fork(1, 1, 'a'), ...fork(2, 1, 'b')]
    const now = [...fork(1, 2, 'b'), ...signIn({ run: 2 }), ...fork(2, 3, 'a'), ...later(3)]
    expect(compare(before, now)).toBeUndefined()
    const moved = [...signIn({ run: 2 }), ...later(3, 'email'), ...fork(1, 2, 'b')]
    expect(compare(before, moved)).toMatchObject({ recordedAs: 4, cameAs: 4, now: 'email' })
    const lost = [...now].filter(({ fork: number }) => number !== 2)
    expect(compare(before, lost)).toEqual({ recordedAs: 7, request: before[6] })
    const more = [...now, ...fork(3, 4, 'c')]
    expect(compare(before, more)).toEqual({ cameAs: 13, request: more[12] })
  })

  test('with one seed must have the same ids and tokens', () => {
    const seeded = { ...unseeded, isSeeded: true }
    expect(compare(signIn({ run: 1 }), signIn({ run: 1, port: 5 }), seeded)).toBeUndefined()
    expect(compare(signIn({ run: 1 }), signIn({ run: 2 }), seeded)).toMatchObject({
      cameAs: 1,
      what: 'code of its redirect',
    })
  })

  test('differ by requests', () => {
    const now = signIn({ run: 2, scope: 'openid profile' })
    expect(compare(signIn({ run: 1 }), now)).toMatchObject({
      recordedAs: 1,
      cameAs: 1,
      what: 'scope of its URL',
      before: 'openid',
      now: 'openid profile',
    })
  })

  test('differ if a value is not sent back as received', () => {
    const found = compare(signIn({ run: 1 }), signIn({ run: 2, returned: 'another' }))
    expect(found).toMatchObject({
      what: 'state of its redirect',
      before: 'state-1',
      now: 'another',
    })
    expect(found?.why).toContain('state-2')
  })

  test('differ if another app makes the request, although its id is as random', () => {
    const now = signIn({ run: 2 }).map((request) => ({
      ...request,
      path: request.path.replace(clientId, '6f1f6b0e-5b3a-4c1e-9d1a-0d3c5c1c9f02'),
    }))
    expect(compare(signIn({ run: 1 }), now)).toMatchObject({ what: 'client_id of its URL' })
  })

  test('differ by a number, a list, a type and a missing member', () => {
    const base = { lane: 'a', method: 'GET', path: '/x', status: 200 }
    const answers: [unknown, unknown, string][] = [
      [{ expires_in: 1 }, { expires_in: 2 }, 'expires_in of its response'],
      [{ list: [1, 2] }, { list: [1] }, 'list of its response'],
      [{ list: [{ name: 'a' }] }, { list: [{ name: 'b' }] }, 'list[0].name of its response'],
      [{ a: '1' }, { a: 1 }, 'a of its response'],
      [{ a: null }, {}, 'a of its response'],
      [{ constructor: 'x' }, {}, 'constructor of its response'],
      ['text', undefined, 'response'],
    ]
    for (const [before, now, what] of answers) {
      const found = compare([{ ...base, answer: before }], [{ ...base, answer: now }])
      expect(found?.what).toBe(what)
    }
  })

  test('differ by a missing and an additional request', () => {
    const [first, second, third] = signIn({ run: 1 }) as [
      RecordedRequest,
      RecordedRequest,
      RecordedRequest,
    ]
    expect(compare([first, second, third], [first, second])).toEqual({
      recordedAs: 3,
      request: third,
    })
    expect(compare([first, second], [first, second, third])).toEqual({ cameAs: 3, request: third })
    expect(compare([], [])).toBeUndefined()
  })

  test('may differ in the number of polls of a device', () => {
    const poll = {
      lane: 'a',
      method: 'POST',
      path: '/oauth/token',
      status: 400,
      error: 'authorization_pending',
    }
    const slower = { ...poll, error: 'slow_down' }
    const done = { lane: 'a', method: 'POST', path: '/oauth/token', status: 200 }
    expect(compare([poll, done], [poll, slower, poll, poll, done])).toBeUndefined()
    expect(compare([poll, poll, done], [poll, done])).toBeUndefined()
    expect(compare([poll, done], [poll, { ...done, status: 500 }])).toMatchObject({ cameAs: 2 })
  })

  test('agree if several users interleave differently, but not if one acts differently', () => {
    const people = ['alice', 'bob', 'carol']
    const requestsOf = (person: string): RecordedRequest[] =>
      ['a', 'b', 'c'].map((name) => ({
        lane: person,
        method: 'GET',
        path: `/${person}/${name}`,
        status: 200,
      }))
    /** Takes from each in turn, as the numbers say. */
    const mix = (order: number[]) => {
      const rest = people.map(requestsOf)
      const mixed = order.flatMap((number) => rest[number % 3]?.shift() ?? [])
      return [...mixed, ...rest.flat()]
    }
    const order = fc.array(fc.nat(2), { maxLength: 9 })
    fc.assert(
      fc.property(order, order, fc.nat(8), (one, other, broken) => {
        expect(compare(mix(one), mix(other))).toBeUndefined()
        const changed = mix(other).with(broken, {
          ...(mix(other)[broken] as RecordedRequest),
          status: 404,
        })
        expect(compare(mix(one), changed)).toMatchObject({ what: 'status', now: 404 })
      }),
    )
  })

  test('are compared with any texts, in linear time', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    const base = { lane: 'a', method: 'GET', status: 200 }
    fc.assert(
      fc.property(text, fc.dictionary(text, fc.jsonValue()), (path, answer) => {
        const request = { ...base, path, answer }
        expect(compare([request], [structuredClone(request)])).toBeUndefined()
      }),
    )
    for (const hostile of ['…', 'a:', '//a:1', '0123456789abcdef-', '2026-01-01T00:']) {
      const request = { ...base, path: `/${hostile.repeat(20_000)}` }
      expect(compare([request], [request])).toBeUndefined()
    }
  })
})
