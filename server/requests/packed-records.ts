import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { own } from '../core/own.ts'
import type { PackedRow } from '../core/packed-rows.ts'
import type { DocumentFetch } from './document-fetches.ts'
import type { RecordedMessage, RequestRecord } from './request-log.ts'

type Headers = IncomingHttpHeaders | OutgoingHttpHeaders

/** Numbers of a packed record: how many, and where those stand that are read by themselves. */
export const recordColumns = 12
export const idHashColumn = 0
export const receivedMsColumn = 1

/** What a body was before it became text. */
const bodyKinds = ['none', 'text', 'bytes', 'form', 'json'] as const
type BodyKind = (typeof bodyKinds)[number]

/** Ends the name of a header whose value is JSON: it is no single text. No name holds it (RFC 9110 §5.1). */
const jsonMark = '\n'

/** A record as a row of numbers and texts; its bodies as they were, as far as they are texts, bytes, forms or JSON. */
export function packRecord(record: RequestRecord): PackedRow {
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
  const headerCount = pushHeaders(texts, request.headers)
  pushHeaders(texts, response.headers)
  const numbers = [
    hashId(record.id),
    record.receivedMs,
    record.at,
    record.endedAt,
    record.status,
    record.durationMs,
    headerCount,
    bodyKinds.indexOf(requestKind),
    request.size,
    bodyKinds.indexOf(responseKind),
    response.size,
    (request.truncated ? 1 : 0) + (response.truncated ? 2 : 0),
  ]
  return { numbers, texts }
}

/** Lists look at a thousand records for a page of some: what takes most of the time is read when it is looked at. */
export function unpackRecord({ numbers, texts }: PackedRow): RequestRecord {
  const [, receivedMs = 0, at = 0, endedAt = 0, status = 0, durationMs = 0, headerCount = 0] =
    numbers
  const [id = '', method = '', url = '', clientId, userId, grantType, error, detail] = texts
  const [message, faultId, fetched] = texts.slice(8)
  const firstHeader = 13
  const firstOfAnswer = firstHeader + 2 * headerCount
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
        headers: readHeaders(texts.slice(firstHeader, firstOfAnswer)) as IncomingHttpHeaders,
        ...messageOf(7, texts[11], 1),
      })
    },
    get response() {
      return (response ??= {
        headers: readHeaders(texts.slice(firstOfAnswer)),
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

/** @returns how many there are, each as its name and its value */
function pushHeaders(texts: (string | undefined)[], headers: Headers): number {
  const before = texts.length
  // Pairs of names and values would be made for nothing but to be taken apart.
  for (const name of Object.keys(headers)) {
    const value = own(headers, name)
    if (typeof value === 'string') texts.push(name, value)
    else if (value !== undefined) texts.push(name + jsonMark, JSON.stringify(value))
  }
  return (texts.length - before) / 2
}

function readHeaders(pairs: readonly (string | undefined)[]): Headers {
  const entries: [string, string | string[]][] = []
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? ''
    const value = pairs[at + 1] ?? ''
    if (!name.endsWith(jsonMark)) entries.push([name, value])
    else entries.push([name.slice(0, -jsonMark.length), JSON.parse(value) as string[]])
  }
  return Object.fromEntries(entries)
}
