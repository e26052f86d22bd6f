import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { PackedRow } from '../core/packed-rows.ts'
import type { DocumentFetch } from './document-fetches.ts'
import type { HeaderNames } from './header-names.ts'
import type { RecordedMessage, RequestRecord } from './request-log.ts'

type Headers = IncomingHttpHeaders | OutgoingHttpHeaders

/** Numbers of a packed record: how many, and where those stand that are read by themselves. */
export const recordColumns = 14
export const idHashColumn = 0
export const receivedMsColumn = 1

/** Where the texts of headers begin; those before have places of their own. */
const firstHeader = 13

/** What a body was before it became text. */
const bodyKinds = ['none', 'text', 'bytes', 'form', 'json'] as const
type BodyKind = (typeof bodyKinds)[number]

/** Ends the name of a header whose value is JSON: it is no single text. No name holds it (RFC 9110 §5.1). */
const jsonMark = '\n'

/** Place of names that stand in the row, each before its value. */
const inRow = -1

/**
 * A record as a row of numbers and texts; its bodies as they were, as far as they are texts, bytes, forms or JSON.
 * @param names what its headers are called is kept there as long as there is room; to be given again to unpack it
 */
export function packRecord(record: RequestRecord, names: HeaderNames): PackedRow {
  const { request, response } = record
  const requestKind = kindOf(request.body)
  const responseKind = kindOf(response.body)
  const texts = [
    record.id,
    record.method,
    record.url,
    record.clientId,
    record.userId,
    record.grantType,
    record.error,
    record.detail,
    record.message,
    record.faultId,
    record.documentFetch === undefined ? undefined : JSON.stringify(record.documentFetch),
    packBody(requestKind, request),
    packBody(responseKind, response),
  ]
  const namesPlace = pushHeaders(texts, request.headers, names)
  const firstOfAnswer = texts.length
  const answerNamesPlace = pushHeaders(texts, response.headers, names)
  const numbers = [
    hashId(record.id),
    record.receivedMs,
    record.at,
    record.endedAt,
    record.status,
    record.durationMs,
    firstOfAnswer,
    bodyKinds.indexOf(requestKind),
    request.size,
    bodyKinds.indexOf(responseKind),
    response.size,
    (request.truncated ? 1 : 0) + (response.truncated ? 2 : 0),
    namesPlace,
    answerNamesPlace,
  ]
  return { numbers, texts }
}

/** Lists look at a thousand records for a page of some: what takes most of the time is read when it is looked at. */
export function unpackRecord({ numbers, texts }: PackedRow, names: HeaderNames): RequestRecord {
  const [, receivedMs = 0, at = 0, endedAt = 0, status = 0, durationMs = 0, firstOfAnswer = 0] =
    numbers
  // Looked up now: by the time the rest is read, the log may have been cleared and its places given to others.
  const [requestNames, answerNames] = numbers
    .slice(12)
    .map((place) => (place === inRow ? undefined : names.at(place)))
  const [id = '', method = '', url = '', clientId, userId, grantType, error, detail] = texts
  const [message, faultId, fetched] = texts.slice(8)
  const messageOf = (column: number, body: string | undefined, cutBit: number) => ({
    ...unpackBody(numbers[column], body),
    size: numbers[column + 1] ?? 0,
    truncated: ((numbers[11] ?? 0) & cutBit) !== 0,
  })
  let request: RequestRecord['request'] | undefined
  let response: RequestRecord['response'] | undefined
  return {
    id,
    at,
    endedAt,
    receivedMs,
    method,
    url,
    status,
    durationMs,
    clientId,
    userId,
    grantType,
    error,
    detail,
    message,
    faultId,
    documentFetch: fetched === undefined ? undefined : (JSON.parse(fetched) as DocumentFetch),
    get request() {
      return (request ??= {
        headers: readHeaders(
          texts.slice(firstHeader, firstOfAnswer),
          requestNames,
        ) as IncomingHttpHeaders,
        ...messageOf(7, texts[11], 1),
      })
    },
    get response() {
      return (response ??= {
        headers: readHeaders(texts.slice(firstOfAnswer), answerNames),
        ...messageOf(9, texts[12], 2),
      })
    },
  }
}

/** Finds the row of an id among many without reading their texts; others may have the same. */
export function hashId(id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0
  return hash
}

function kindOf(body: unknown): BodyKind {
  if (body === undefined || body === null) return 'none'
  if (typeof body === 'string') return 'text'
  if (Buffer.isBuffer(body)) return 'bytes'
  return body instanceof URLSearchParams ? 'form' : 'json'
}

function packBody(kind: BodyKind, { body, text }: RecordedMessage<Headers>): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'text') return body as string
  // A character for each byte.
  if (kind === 'bytes') return (body as Buffer).toString('latin1')
  return text ?? (kind === 'form' ? String(body) : JSON.stringify(body))
}

function unpackBody(kind: number | undefined, text = ''): { body?: unknown } {
  switch (bodyKinds[kind ?? 0]) {
    case 'text':
      return { body: text }
    case 'bytes':
      return { body: Buffer.from(text, 'latin1') }
    case 'form':
      return { body: new URLSearchParams(text) }
    case 'json':
      return { body: JSON.parse(text) as unknown }
    default:
      return {}
  }
}

/** @returns the place of their names, whose values alone are pushed, or `inRow` */
function pushHeaders(texts: (string | undefined)[], headers: Headers, names: HeaderNames): number {
  const keys = Object.keys(headers)
  const values = Object.values(headers)
  const place = values.every(isText) ? names.find(keys) : undefined
  if (place !== undefined) {
    for (const value of values) texts.push(value as string)
    return place
  }
  for (const [at, name] of keys.entries()) {
    const value = values[at]
    if (isText(value)) texts.push(name, value)
    else if (value !== undefined) texts.push(name + jsonMark, JSON.stringify(value))
  }
  return inRow
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** @param names absent = they stand in the row, each before its value */
function readHeaders(texts: PackedRow['texts'], names?: readonly string[]): Headers {
  if (names !== undefined) {
    return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']))
  }
  const entries: [string, string | string[]][] = []
  for (let at = 0; at < texts.length; at += 2) {
    const name = texts[at] ?? ''
    const value = texts[at + 1] ?? ''
    if (!name.endsWith(jsonMark)) entries.push([name, value])
    else entries.push([name.slice(0, -jsonMark.length), JSON.parse(value) as string[]])
  }
  return Object.fromEntries(entries)
}
