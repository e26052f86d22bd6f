import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliveryItem } from '../../../server/contract/control-deliveries.ts'
import { deviceCodeGrant } from '../../../server/contract/words/oauth-words.ts'
import { drawFlow } from '../../../server/inspect/drawing/draw-flow.ts'
import { junitOf } from '../../../server/inspect/exports/run-junit.ts'
import { casesOf, type RunCase } from '../../../server/inspect/exports/run-cases.ts'
import { summaryOf } from '../../../server/inspect/exports/run-summary.ts'
import { createRequestLog, type RequestRecord } from '../../../server/inspect/log/request-log.ts'
import { createTestDeps } from '../../helpers/deps.ts'
import { hasProgram } from '../../helpers/programs.ts'
import { logCaps, requestRecord } from '../../helpers/records.ts'

const { deps } = await createTestDeps()

/** The case of the sign-in that these requests are. */
function caseOf(...records: RequestRecord[]): RunCase | undefined {
  return allCasesOf(...records)[0]
}

/** The sign-in that these requests are, and its request that was refused in the end. */
function allCasesOf(...records: RequestRecord[]): RunCase[] {
  const log = createRequestLog(logCaps(1000))
  for (const [index, record] of records.entries()) log.add({ ...record, receivedMs: index })
  const [flow] = log.flows.values()
  if (flow === undefined) throw new Error('the requests are no sign-in')
  const drawn = drawFlow(deps, { flow, clockMoves: [], nowMs: 1e9 })
  return casesOf([drawn], [])
}

const asked = { client_id: 'app', state: 's', code_challenge: 'c' }
const authorize = (location?: string, changes = {}) =>
  requestRecord({
    url: `/oauth/authorize?${new URLSearchParams(asked).toString()}`,
    ...(location === undefined ? {} : { location }),
    ...changes,
  })
const withCode = 'http://localhost/callback?code=abc&state=s'
const exchange = (changes = {}) =>
  requestRecord({
    url: '/oauth/token',
    form: { grant_type: 'authorization_code', client_id: 'app', code: 'abc' },
    answer: { access_token: 'token-1', refresh_token: 'refresh-1' },
    ...changes,
  })
const refusedExchange = (detail = 'the verifier does not match') =>
  exchange({ status: 400, error: 'invalid_grant', detail, answer: { error: 'invalid_grant' } })
const withToken = (url: string, changes = {}) =>
  requestRecord({ url, headers: { authorization: 'Bearer token-1' }, ...changes })

describe('a sign-in as a test case', () => {
  test('passes when the app got its token', () => {
    const it = caseOf(authorize(withCode), exchange(), withToken('/oauth/userinfo'))
    expect(it).toMatchObject({ suite: 'sign-ins', name: 'sign-in with a browser' })
    expect(it).not.toHaveProperty('failure')
    expect(it).not.toHaveProperty('waiting')
  })

  test('fails with the sentence that explains it', () => {
    const it = caseOf(authorize(withCode), refusedExchange('the verifier does not match'))
    expect(it?.failure).toBe('invalid_grant: The verifier does not match.')
  })

  test('passes when a later try of the same sign-in was granted', () => {
    expect(caseOf(authorize(withCode), refusedExchange(), exchange())).not.toHaveProperty('failure')
  })

  test('neither passes nor fails when the user denied it and the app was told', () => {
    const told = (description: string) =>
      `http://localhost/callback?${new URLSearchParams({ error: 'access_denied', error_description: description, state: 's' })}`
    const denied = caseOf(authorize(told('The user denied the request.')))
    expect(denied).not.toHaveProperty('failure')
    expect(denied).not.toHaveProperty('waiting')
    expect(denied).toMatchObject({ result: 'denied', aside: expect.stringMatching(/denied/) })
    expect(denied?.name).toBe('sign-in with a browser, denied by the user')
    const barred = caseOf(authorize(told('This app is for members of acme only.')))
    expect(barred?.failure).toMatch(/^access_denied: This app is for members/)
  })

  test('is denied when a device was denied and has been told, and fails when a fault rule told it so', () => {
    const start = requestRecord({
      url: '/oauth/device',
      form: { client_id: 'app' },
      answer: { device_code: 'd', user_code: 'USER' },
    })
    const poll = requestRecord({
      url: '/oauth/token',
      form: { grant_type: deviceCodeGrant, device_code: 'd' },
      status: 400,
      error: 'access_denied',
      detail: 'The device code was denied by the user.',
      answer: {
        error: 'access_denied',
        error_description: 'The device code was denied by the user.',
      },
    })
    expect(caseOf(start, poll)).toMatchObject({ result: 'denied', aside: expect.any(String) })
    expect(caseOf(start, poll)).not.toHaveProperty('failure')
    expect(caseOf(start, { ...poll, faultId: 'fault' })?.failure).toBeTruthy()
  })

  test('fails when it ended in a refusal although something went well before', () => {
    const refused = requestRecord({
      url: '/oauth/token',
      form: { grant_type: 'refresh_token', client_id: 'app', refresh_token: 'refresh-1' },
      status: 401,
      error: 'invalid_client',
      answer: { error: 'invalid_client' },
    })
    const it = caseOf(authorize(withCode), exchange(), withToken('/oauth/userinfo'), refused)
    expect(it?.failure).toContain('invalid_client')
  })

  test('passes, and the request with its token that was refused in the end fails beside it', () => {
    const refused = () =>
      withToken('/oauth/userinfo', { status: 401, error: 'invalid_token', answer: { error: 'x' } })
    const failureOf = (...records: RequestRecord[]) => {
      const [signIn, request] = allCasesOf(authorize(withCode), exchange(), ...records)
      expect(signIn).toMatchObject({ suite: 'sign-ins', result: 'completed' })
      expect(signIn).not.toHaveProperty('failure')
      return request
    }
    const failed = failureOf(refused())
    expect(failed).toMatchObject({ suite: 'requests', result: 'refused' })
    expect(failed?.name).toBe('userinfo request of sign-in with a browser')
    expect(failed?.failure).toMatch(/^userinfo request: invalid_token/)
    const fixed = [refused(), withToken('/oauth/userinfo')]
    expect(failureOf(...fixed)).toBeUndefined()
    const elsewhere = [refused(), withToken('/api/whoami-v2')]
    expect(failureOf(...elsewhere)?.failure).toContain('userinfo')
  })

  test('is not failed by a hub that has not what was asked for', () => {
    const missing = withToken('/api/models/acme/none', { status: 404 })
    expect(allCasesOf(authorize(withCode), exchange(), missing)).toHaveLength(1)
    expect(caseOf(authorize(withCode), exchange(), missing)).not.toHaveProperty('failure')
  })

  test('is open while it waits, and polls are no errors', () => {
    const start = requestRecord({
      url: '/oauth/device',
      form: { client_id: 'app' },
      answer: { device_code: 'd', user_code: 'USER' },
    })
    const poll = () =>
      requestRecord({
        url: '/oauth/token',
        form: { grant_type: deviceCodeGrant, device_code: 'd' },
        status: 400,
        error: 'authorization_pending',
        answer: { error: 'authorization_pending' },
      })
    const open = caseOf(start, poll(), poll())
    expect(open).not.toHaveProperty('failure')
    expect(open?.waiting).toBeTruthy()
    const granted = requestRecord({
      url: '/oauth/token',
      form: { grant_type: deviceCodeGrant, device_code: 'd' },
      answer: { access_token: 't' },
    })
    const done = caseOf(start, poll(), granted)
    expect(done).not.toHaveProperty('failure')
    expect(done).not.toHaveProperty('waiting')
  })
})

function delivery(changes: Partial<DeliveryItem>): RunCase | undefined {
  const item: DeliveryItem = {
    id: '0123456789abcdef01234567',
    webhookId: 'aaaaaaaaaaaaaaaaaaaaaaaa',
    eventId: 'event',
    scope: 'repo.content',
    action: 'update',
    repo: 'acme/corpus',
    repoType: 'dataset',
    state: 'succeeded',
    attempts: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  }
  const target = 'http://ann:opensesame@localhost:1/hook?key=geheim'
  return casesOf([], [item], new Map([[item.webhookId, target]]))[0]
}

const failedAttempt = {
  number: 1,
  source: 'auto',
  at: '2026-01-01T00:00:00.000Z',
  durationMs: 250,
  outcome: 'failed',
  error: { class: 'http_status', message: 'the receiver answered 500' },
  explanation: 'Only a 2xx status counts as success.',
} as const
const goodAttempt = {
  number: 2,
  source: 'retry',
  at: failedAttempt.at,
  durationMs: 250,
  outcome: 'succeeded',
} as const

describe('a delivery as a test case', () => {
  test('passes when it got through in the end', () => {
    const it = delivery({ attempts: [failedAttempt, goodAttempt] })
    expect(it).not.toHaveProperty('failure')
    expect(it?.seconds).toBe(0.5)
  })

  test('fails with what went wrong and what helps', () => {
    const it = delivery({ state: 'failed', attempts: [failedAttempt] })
    expect(it?.failure).toBe(
      'Attempt 1: the receiver answered 500. Only a 2xx status counts as success.',
    )
  })

  test('is open while it waits, whatever failed so far', () => {
    for (const state of ['held', 'queued', 'sending', 'waiting'] as const) {
      const it = delivery({ state, attempts: [failedAttempt], nextRetryAt: failedAttempt.at })
      expect(it).not.toHaveProperty('failure')
      expect(it?.waiting).toContain('the receiver answered 500')
      expect(it?.result).toBe('failing')
      expect(delivery({ state })).toMatchObject({ result: 'pending', waiting: expect.any(String) })
    }
  })

  test('that was cancelled neither passed nor failed, whether it was tried or not', () => {
    const because = { state: 'cancelled', cancelledBecause: 'the webhook was deleted' } as const
    for (const attempts of [[failedAttempt], []]) {
      const it = delivery({ ...because, attempts })
      expect(it).toMatchObject({ result: 'cancelled', aside: expect.stringMatching(/was deleted/) })
      expect(it).not.toHaveProperty('failure')
      expect(it).not.toHaveProperty('waiting')
    }
  })

  test('whose job was recorded only is not run', () => {
    const it = delivery({ recorded: true, attempts: [goodAttempt] })
    expect(it).toMatchObject({ result: 'not run', aside: 'Its job was recorded, but not run.' })
    expect(it).not.toHaveProperty('waiting')
  })

  test('that was skipped is none, and a name has no password', () => {
    expect(delivery({ state: 'skipped' })).toBeUndefined()
    expect(delivery({})?.name).not.toMatch(/opensesame|geheim/)
  })
})

const run = { name: 'npm test', startedAt: '2026-01-01T00:00:00.000Z', seconds: 1.5 }
const one = (changes: Partial<RunCase>): RunCase => ({
  id: 'a',
  suite: 'sign-ins',
  result: 'completed',
  name: 'sign-in',
  startedAt: run.startedAt,
  seconds: 0.25,
  ...changes,
})

const hostile = [
  ']]>',
  '<!--',
  '&amp;"\'<',
  '\u0000\u0001\u001B[31m\u007F\u0085\uFFFE\uFFFF',
  '\uD800 lone \uDC00',
  '🦊 naïve 漢字',
  'line\nfeed\r\n\ttab',
  'x'.repeat(1_000_000),
]

/** Prints what Python's own XML parser reads, as JSON. */
const reader = `
import json, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(json.dumps([root.tag, root.attrib, [[suite.attrib, [[case.attrib, [[it.tag, it.attrib, it.text] for it in case]] for case in suite]] for suite in root]]))
`

function readByPython(xml: string): [string, Record<string, string>, unknown[][]] {
  const folder = mkdtempSync(join(tmpdir(), 'junit-'))
  try {
    const file = join(folder, 'junit.xml')
    writeFileSync(file, xml)
    const options = { maxBuffer: 1e8, encoding: 'utf8' } as const
    return JSON.parse(execFileSync('python3', ['-c', reader, file], options))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const attributesOf = (found: unknown) => (found as unknown[])[0]

describe('a JUnit file', () => {
  test.skipIf(!hasProgram('python3'))(
    'is XML for an independent parser, whatever is in it [needs python3]',
    () => {
      const cases = hostile.flatMap((text) => [
        one({ name: text, failure: text }),
        one({ name: text, suite: 'deliveries', waiting: text }),
      ])
      const [tag, head, suites] = readByPython(junitOf({ ...run, name: hostile.join(' ') }, cases))
      const count = String(hostile.length)
      expect(tag).toBe('testsuites')
      expect(head).toMatchObject({ tests: String(2 * hostile.length), failures: count })
      expect(head).toMatchObject({ skipped: count, errors: '0', time: '1.500' })
      expect(suites).toHaveLength(2)
      const [suite, found] = suites[0] as [Record<string, string>, unknown[]]
      expect(suite).toMatchObject({ failures: count, timestamp: '2026-01-01T00:00:00' })
      expect(found).toHaveLength(hostile.length)
      expect(found[1]).toMatchObject([
        { name: '<!--' },
        [['failure', { message: '<!--' }, '<!--\nSign-in a']],
      ])
      expect(attributesOf(found[5])).toMatchObject({ name: '🦊 naïve 漢字', time: '0.250' })
      expect(attributesOf(found[6])).toMatchObject({ name: 'line\nfeed\r\n\ttab' })
    },
  )

  test('holds no character that XML forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const xml = junitOf(run, [one({ name: text, failure: text })])
        expect(xml).toMatch(/^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u)
        expect(xml.match(/<testcase /g)).toHaveLength(1)
      }),
    )
  })

  test('tells cases of one name apart by a number', () => {
    const xml = junitOf(run, [one({}), one({}), one({ suite: 'deliveries' })])
    expect(xml.match(/name="sign-in[^"]*"/g)).toEqual([
      'name="sign-in"',
      'name="sign-in (2)"',
      'name="sign-in"',
    ])
  })

  test('stays small however long its texts are', () => {
    const long = 'y'.repeat(1_000_000)
    expect(junitOf(run, [one({ name: long, failure: long })]).length).toBeLessThan(50_000)
  })
})

describe('a summary', () => {
  test('counts, and tells what failed and what is open', () => {
    const text = summaryOf([
      one({}),
      one({ name: 'refresh', result: 'refused', failure: 'invalid_client: No such app.' }),
      one({ name: 'device', result: 'denied', aside: 'The user denied the request.' }),
      one({
        suite: 'deliveries',
        name: 'update',
        result: 'failing',
        waiting: 'Waits for a retry.',
      }),
    ])
    expect(text).toContain('| Sign-ins | 1 | 1 | 0 | 1 |')
    expect(text).toContain('| Deliveries | 0 | 0 | 1 | 0 |')
    expect(text).not.toContain('Refused requests')
    expect(text).toContain(String.raw`- ${'`refresh`'}: refused. invalid\_client: No such app.`)
    expect(text).toContain('- `update`: failing. Waits for a retry.')
    expect(text).toContain('- `device`: denied. The user denied the request.')
  })

  test('keeps what others wrote from being Markdown or HTML', () => {
    const text = summaryOf([
      one({ name: '`<b>`\n# x', failure: '<script>@team [x](http://y)\n\n# head' }),
    ])
    expect(text).not.toMatch(/<script|^#\s+(?:x|head)|@team|\]\(http/m)
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1)
  })

  test('is short however much failed', () => {
    const text = summaryOf(Array.from({ length: 5000 }, () => one({ failure: 'no' })))
    expect(text).toContain('and 4980 more')
  })
})
