import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPackedRows } from '../../../server/core/packed-rows.ts'
import { createHeaderNames } from '../../../server/requests/header-names.ts'
import {
  hashId,
  idHashColumn,
  packRecord,
  receivedMsColumn,
  recordColumns,
  unpackRecord,
} from '../../../server/requests/packed-records.ts'
import { createRequestLog, type RequestRecord } from '../../../server/requests/request-log.ts'

const word = fc.string({ unit: 'grapheme', maxLength: 20 })
const some = fc.option(word, { nil: undefined })
const number = fc.double({ noNaN: true })
const name = fc.stringMatching(/^[a-z_-]{1,12}$/)

const message = fc.record({
  headers: fc.dictionary(name, fc.oneof(word, fc.array(word), fc.nat()), { maxKeys: 6 }),
  body: fc.oneof(
    fc.constant(undefined),
    word,
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.array(fc.tuple(word, word)).map((pairs) => new URLSearchParams(pairs)),
    fc
      .json()
      .map((text): unknown => JSON.parse(text))
      .filter((value) => typeof value === 'object'),
  ),
  size: fc.nat(),
  truncated: fc.boolean(),
})

const record = fc.record({
  id: word,
  at: number,
  endedAt: number,
  receivedMs: number,
  method: word,
  url: word,
  status: fc.nat(999),
  durationMs: number,
  clientId: some,
  userId: some,
  grantType: some,
  error: some,
  detail: some,
  message: some,
  faultId: some,
  documentFetch: fc.option(fc.record({ url: word, startedMs: fc.nat(), endedMs: fc.nat() }), {
    nil: undefined,
  }),
  request: message,
  response: message,
}) as fc.Arbitrary<RequestRecord>

/** What a body is worth on the wire, and what it is to who reads it. */
const bodyOf = ({ body }: { body?: unknown }) =>
  body === null ? undefined : body instanceof URLSearchParams ? [...body] : body

function fullHeaderNames() {
  const names = createHeaderNames()
  for (let number = 0; names.find([`x-${number}`]) !== undefined; number += 1) continue
  return names
}

describe('packed records', () => {
  test('are what was packed: every member, header and kind of body', () => {
    const [roomy, full] = [createHeaderNames(), fullHeaderNames()]
    fc.assert(
      fc.property(record, fc.constantFrom(roomy, full), (given, names) => {
        const rows = createPackedRows(1, recordColumns)
        rows.push(packRecord(given, names))
        expect(rows.numberAt(0, idHashColumn)).toBe(hashId(given.id))
        expect(rows.numberAt(0, receivedMsColumn)).toBe(given.receivedMs)
        const { request, response, ...facts } = unpackRecord(rows.at(0)!, names)
        const { request: asked, response: answered, ...expected } = given
        expect(facts).toEqual(expected)
        for (const [kept, was] of [
          [request, asked],
          [response, answered],
        ] as const) {
          expect(kept).toMatchObject({ size: was.size, truncated: was.truncated })
          expect(Object.entries(kept.headers)).toEqual(Object.entries(was.headers))
          expect(bodyOf(kept)).toEqual(bodyOf(was))
        }
      }),
    )
  })

  test('have names of headers in their row only where a list of them is new, or a value is no text', () => {
    const [given] = fc.sample(record, 1)
    const names = createHeaderNames()
    const textsWith = (headers: Record<string, string | string[]>, known = names) =>
      packRecord({ ...given!, response: { headers, size: 0, truncated: false } }, known).texts
    expect(textsWith({ etag: 'a', vary: 'b' })).not.toContain('etag')
    expect(textsWith({ vary: 'b', etag: 'a' }).slice(-2)).toEqual(['b', 'a'])
    expect(textsWith({ etag: 'a', vary: 'b' }, fullHeaderNames()).slice(-4)).toEqual([
      'etag',
      'a',
      'vary',
      'b',
    ])
    expect(textsWith({ etag: 'a', 'set-cookie': ['b'] }).slice(-4)).toEqual([
      'etag',
      'a',
      'set-cookie\n',
      '["b"]',
    ])
  })

  test('have their headers also when the log was cleared since they were looked up', () => {
    const [given] = fc.sample(record, 1)
    const log = createRequestLog(4)
    const withHeader = (name: string) => ({
      ...given!,
      response: { headers: { [name]: 'v' }, size: 0, truncated: false },
    })
    log.add(withHeader('etag'))
    const [before] = log.values()
    log.clear()
    log.add(withHeader('vary'))
    expect(before?.response.headers).toEqual({ etag: 'v' })
    expect(log.values()[0]?.response.headers).toEqual({ vary: 'v' })
  })

  test('take the text that a form came as, which parses to the same', () => {
    const text = 'scope=openid+profile&scope=%C3%A9'
    const [given] = fc.sample(record, 1)
    const body = new URLSearchParams(text)
    const request = { headers: {}, body, text, size: text.length, truncated: false }
    const { texts } = packRecord({ ...given!, request }, createHeaderNames())
    expect(texts).toContain(text)
  })

  test('a log finds each by its id, also where another id has the same hash', () => {
    expect(hashId('Aa')).toBe(hashId('BB'))
    const log = createRequestLog(4)
    const [given] = fc.sample(record, 1)
    for (const id of ['Aa', 'BB', 'c']) log.add({ ...given!, id })
    expect(['Aa', 'BB', 'c', 'C#'].map((id) => log.get(id)?.id)).toEqual([
      'Aa',
      'BB',
      'c',
      undefined,
    ])
  })
})
