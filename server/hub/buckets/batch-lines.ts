import { mediaTypeMaxLength, mediaTypePattern } from '../../contract/fixtures/names.ts'
import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { shown } from '../uploads/commit-json.ts'

/** Operation of a batch, as a client sends it. */
export type BatchOperation =
  | {
      readonly type: 'addFile'
      readonly path: string
      readonly xetHash: string
      readonly mtime?: number
      readonly contentType?: string
    }
  | {
      readonly type: 'copyFile'
      readonly path: string
      readonly xetHash: string
      readonly sourceRepoType: string
      readonly sourceRepoId: string
      readonly mtime?: number
      readonly contentType?: string
    }
  | { readonly type: 'deleteFile'; readonly path: string }

type Type = BatchOperation['type']

/** Bytes of one line: room for the longest path, each byte of it escaped. */
const mostLineBytes = 64 * 1024
const texts: Readonly<Record<Type, readonly string[]>> = {
  addFile: ['path', 'xetHash'],
  copyFile: ['path', 'xetHash', 'sourceRepoType', 'sourceRepoId'],
  deleteFile: ['path'],
}
const mediaType = new RegExp(mediaTypePattern)
const latestTime = 8_640_000_000_000_000

/**
 * Parses a batch: one JSON object a line. Unknown members are ignored.
 * @throws {Refusal} `invalid` naming the line, or for a batch without operations
 */
export function parseBatch(body: Buffer): BatchOperation[] {
  const operations: BatchOperation[] = []
  let number = 0
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(0x0a, start)
    const line = body.subarray(start, end === -1 ? body.length : end)
    start = end === -1 ? body.length : end + 1
    number += 1
    if (line.length > mostLineBytes) {
      throw wrong(number, `it has more than ${mostLineBytes} bytes`)
    }
    const text = line.toString().trim()
    if (text !== '') operations.push(parseLine(text, number))
  }
  if (operations.length === 0) {
    throw new Refusal('invalid', 'The batch has no operations: send one JSON object a line')
  }
  return operations
}

function parseLine(text: string, number: number): BatchOperation {
  const parsed = parseJson(text, number)
  if (!isObject(parsed)) throw wrong(number, 'it is not a JSON object')
  const type = own(parsed, 'type')
  if (!isType(type)) {
    const known = Object.keys(texts).join(', ')
    throw wrong(number, `unknown type ${shown(String(type))}: use one of ${known}`)
  }
  for (const member of texts[type]) {
    if (typeof own(parsed, member) !== 'string') throw wrong(number, `${member} must be a string`)
  }
  const { mtime, contentType } = parsed
  if (mtime !== undefined && !isTime(mtime)) {
    throw wrong(number, 'mtime must be milliseconds since 1970, as an integer')
  }
  if (contentType !== undefined && !isMediaType(contentType)) {
    throw wrong(number, 'contentType must be a media type such as text/plain')
  }
  return parsed as unknown as BatchOperation
}

function parseJson(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(number, 'it is not JSON')
  }
}

function isType(value: unknown): value is Type {
  return typeof value === 'string' && Object.hasOwn(texts, value)
}

function isTime(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= latestTime
}

function isMediaType(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > mediaTypeMaxLength) return false
  return mediaType.test(value)
}

function wrong(line: number, problem: string): Refusal {
  return new Refusal('invalid', `Line ${line} of the batch is invalid: ${problem}`)
}
