import { describe, expect, test } from 'vitest'
import { createFlows } from '../../../server/inspect/flows/flows.ts'
import {
  createRequestLog,
  type RequestLog,
  type RequestRecord,
} from '../../../server/inspect/log/request-log.ts'
import { deviceCodeGrant } from '../../../server/contract/words/oauth-words.ts'
import { logCaps, requestRecord } from '../../helpers/records.ts'

const authorize = (state: string, changes = {}) =>
  requestRecord({
    url: `/oauth/authorize?client_id=app&state=${state}&code_challenge=c-${state}`,
    clientId: 'app',
    ...changes,
  })
const granted = (state: string, code: string) =>
  authorize(state, { location: `http://localhost/callback?code=${code}&state=${state}` })
const exchange = (code: string, token: string) =>
  requestRecord({
    url: '/oauth/token',
    form: { grant_type: 'authorization_code', code },
    answer: { access_token: token, refresh_token: `r-${token}` },
  })
const use = (token: string) =>
  requestRecord({ url: '/api/whoami-v2', headers: { authorization: `Bearer ${token}` } })
const startDevice = (code: string) =>
  requestRecord({
    url: '/oauth/device',
    form: { client_id: 'app' },
    answer: { device_code: code, user_code: `${code}-USER` },
  })
const poll = (code: string) =>
  requestRecord({
    url: '/oauth/token',
    form: { grant_type: deviceCodeGrant, device_code: code },
    status: 400,
    error: 'authorization_pending',
  })

function grouped(records: RequestRecord[]): string[][] {
  const flows = createFlows()
  for (const record of records) flows.add(record)
  return Array.from(flows.values(), (flow) => flow.records.map(({ id }) => id))
}

function kindOf(record: RequestRecord): string | undefined {
  const flows = createFlows()
  flows.add(record)
  return flows.ofRequest(record.id)?.kind
}

const idsOf = (records: RequestRecord[]) => records.map(({ id }) => id)

test('the login page belongs to the authorization request that it names, by its URL and by its form', () => {
  const asked = authorize('one', { location: '/login?next=x' })
  const page = requestRecord({ url: `/login?next=${encodeURIComponent(asked.url)}` })
  const pageOfLong = requestRecord({
    url: asked.url.replace('/oauth/authorize?', '/login?request&'),
  })
  const signedIn = requestRecord({ url: '/login', form: { user: 'alice', next: asked.url } })
  const elsewhere = requestRecord({ url: '/login', form: { user: 'alice', next: '/' } })
  const together = [asked, page, pageOfLong, signedIn]
  expect(grouped([...together, elsewhere])).toEqual([idsOf(together)])
})

test('an authorization request after a code was sent starts a new sign-in; after a refusal it continues', () => {
  const refused = authorize('one', { status: 400, error: 'invalid_scope' })
  const first = granted('one', 'code-1')
  const again = granted('one', 'code-2')
  const token = exchange('code-2', 'token-2')
  expect(grouped([refused, first, again, token])).toEqual([
    idsOf([refused, first]),
    idsOf([again, token]),
  ])
})

test('a refresh belongs to the sign-in whose refresh token it sends', () => {
  const records = [granted('one', 'code-1'), exchange('code-1', 'token-1')]
  const refresh = requestRecord({
    url: '/oauth/token',
    form: { grant_type: 'refresh_token', refresh_token: 'r-token-1' },
    answer: { access_token: 'token-2', refresh_token: 'r-token-2' },
  })
  expect(grouped([...records, refresh, use('token-2')])).toHaveLength(1)
  expect(kindOf(refresh)).toBe('refresh')
})

test('an app with an invalid metadata document starts no sign-in', () => {
  const clientId = 'https://app.test/client.json'
  const url = `/oauth/authorize?client_id=${encodeURIComponent(clientId)}`
  const ask = (error?: string) => requestRecord({ url, clientId, status: 400, error })
  expect(kindOf(ask('invalid_client'))).toBe('metadata-document')
  expect(kindOf(ask('invalid_redirect_uri'))).toBe('authorization-code')
})

test('a request without a token of a sign-in belongs to no sign-in', () => {
  expect(grouped([use('unknown'), requestRecord({ url: '/oauth/jwks' })])).toEqual([])
})

test('requests of a sign-in are listed in the order of their arrival', () => {
  const first = startDevice('d')
  const [early, late] = [poll('d'), poll('d')]
  expect(grouped([first, late, early])).toEqual([idsOf([first, early, late])])
})

const added = (log: RequestLog, record: RequestRecord) => {
  log.add(record)
  return log.flows.ofRequest(record.id)
}

describe('when the log is full', () => {
  test('a sign-in keeps its id, continues, and counts its dropped requests', () => {
    const log = createRequestLog(logCaps(2))
    const [start, ...polls] = [startDevice('d'), poll('d'), poll('d'), poll('d')]
    log.add(start)
    expect(log.flows.get(start.id)).toBeDefined()
    for (const record of polls) log.add(record)
    const flow = log.flows.get(start.id)
    expect(flow).toMatchObject({ id: start.id, kind: 'device-code', droppedCount: 2 })
    expect(idsOf([...(flow?.records ?? [])])).toEqual(idsOf(polls.slice(1)))
    expect(log.flows.ofRequest(start.id)).toBeUndefined()
  })

  test('a log of one request still follows a sign-in', () => {
    const log = createRequestLog(logCaps(1))
    const flows = [startDevice('d'), poll('d'), poll('d')].map((record) => added(log, record)?.id)
    expect(new Set(flows).size).toBe(1)
  })

  test('a sign-in whose last request was dropped is removed with its codes', () => {
    const log = createRequestLog(logCaps(2))
    log.add(startDevice('d'))
    for (const device of ['e', 'f']) log.add(startDevice(device))
    expect([...log.flows.values()]).toHaveLength(2)
    expect(added(log, poll('d'))).toMatchObject({ droppedCount: 0 })
  })

  test('API reads with the token of a sign-in evict each other, not the sign-in', () => {
    const log = createRequestLog(logCaps(10))
    const records = [
      granted('c', 'c'),
      exchange('c', 't'),
      ...times(50, () => use('t')).map((make) => make()),
    ]
    for (const record of records) log.add(record)
    const [flow] = log.flows.values()
    expect(idsOf([...(flow?.records ?? [])])).toEqual(
      idsOf([...records.slice(0, 2), ...records.slice(-8)]),
    )
  })

  test('requests that were dropped before anybody read a sign-in are never grouped', () => {
    const log = createRequestLog(logCaps(4))
    const records = [startDevice('d'), ...times(1000, () => poll('d')).map((make) => make())]
    for (const record of records) log.add(record)
    const [flow, ...more] = log.flows.values()
    expect(idsOf([...(flow?.records ?? [])])).toEqual(idsOf(records.slice(-4)))
    expect(flow).toMatchObject({ id: records.at(-4)?.id, droppedCount: 0 })
    expect(more).toEqual([])
  })
})

/** Small and seeded: what fails can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
  'however sign-ins interleave, none loses a request or has one of another (seed %i)',
  (seed) => {
    const next = random(seed)
    const makers = Array.from({ length: 6 }, (_, index) => {
      const [code, token] = [`code-${seed}-${index}`, `token-${seed}-${index}`]
      return index % 2 === 0
        ? [() => granted(code, code), () => exchange(code, token), ...times(4, () => use(token))]
        : [() => startDevice(code), ...times(8, () => poll(code))]
    })
    const expected = makers.map(() => [] as string[])
    const log = createRequestLog(logCaps(1000))
    const waiting = makers.map((steps) => [...steps])
    while (waiting.some((steps) => steps.length > 0)) {
      const index = Math.floor(next() * waiting.length)
      const make = waiting[index]?.shift()
      if (make === undefined) continue
      const record = make()
      expected[index]?.push(record.id)
      log.add(record)
      // Sometimes somebody looks, sometimes much has come before they do.
      const first = expected[index]?.[0]
      const seen = next() < 0.3 ? log.flows.ofRequest(record.id)?.id : first
      expect(seen).toBe(first)
    }
    const found = Array.from(log.flows.values(), ({ records }) => idsOf([...records]))
    const byFirst = (one: string[], other: string[]) =>
      String(one[0]).localeCompare(String(other[0]))
    expect(found.toSorted(byFirst)).toEqual(expected.toSorted(byFirst))
  },
)

function times<T>(count: number, make: T): T[] {
  return Array.from({ length: count }, () => make)
}
