import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { type ContentShelf, contentsOfCommit } from './commit-contents.ts'
import { type Members, readJson, shown, UnknownMembers } from './commit-json.ts'
import {
  type CommitHeader,
  type CommitKey,
  type CommitPart,
  type ParsedCommit,
  invalidPart,
  isCommitKey,
  knownMembers,
  readHeader,
  readOperation,
  requireOperations,
} from './commit-operations.ts'
import { largestRegularFile, refusedFiles } from '../rules/file-rules.ts'

/** Line with a file. As a JSON string its content may be twice as long. */
const mostLineBytes = 2 * largestRegularFile + 1024 * 1024
/** Line of any other key. */
const mostOtherBytes = 1024 * 1024
/** Bytes of a line outside its strings. */
const mostStructureBytes = 64 * 1024

const newline = 0x0a

interface Line {
  readonly number: number
  readonly bytes: Buffer
}

/**
 * Reads the body of a commit: one JSON object a line, first the header, then one operation for each file. Large contents
 * are stored when their line ends. Unknown members are ignored, as on the hub.
 * @param shelf stores them before the commit refers to them
 * @throws {Refusal} `invalid` naming the line, or for a header alone; `unprocessable` for an invalid path
 */
export async function readCommitLines(
  body: AsyncIterable<Uint8Array>,
  shelf: ContentShelf,
): Promise<ParsedCommit> {
  let header: CommitHeader | undefined
  const operations: ParsedCommit['operations'] = []
  const unknown = new UnknownMembers()
  const keep = contentsOfCommit(shelf)
  for await (const line of splitLines(body)) {
    const part = { where: `Line ${line.number} of the commit` }
    const { key, value } = readLine(
      part,
      readJson({ ...part, ...line, mostStructureBytes }),
      unknown,
    )
    if (key !== 'file' && line.bytes.length > mostOtherBytes) {
      throw invalidPart(part, `more than ${mostOtherBytes} bytes, the limit for a ${key}`)
    }
    if (key === 'header') {
      if (header !== undefined) throw invalidPart(part, 'a second header')
      header = readHeader({ ...part, value })
      continue
    }
    if (header === undefined) throw invalidPart(part, 'the header must come first')
    operations.push(await readOperation(key, { ...part, value }, keep))
  }
  if (header === undefined) throw new Refusal('invalid', 'The commit has no header line')
  requireOperations(operations)
  return { ...header, operations, passedOver: unknown.describe() }
}

function readLine(
  part: Pick<CommitPart, 'where'>,
  parsed: unknown,
  unknown: UnknownMembers,
): { key: CommitKey; value: Members } {
  if (!isObject(parsed)) throw invalidPart(part, 'it is not a JSON object')
  const [key, value] = [own(parsed, 'key'), own(parsed, 'value')]
  if (typeof key !== 'string') throw invalidPart(part, 'it has no key')
  if (!isObject(value)) throw invalidPart(part, 'its value is not an object')
  if (!isCommitKey(key)) throw invalidPart(part, `unknown key ${shown(key)}`)
  const line = part.where.replace(' of the commit', '').toLowerCase()
  unknown.look(`${line}: it`, parsed, ['key', 'value'])
  unknown.look(`${line}: its ${key}`, value, knownMembers[key])
  return { key, value }
}

/** Splits a body into its lines, without empty ones. The bytes of a line are valid until the next one is read. */
async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let held = Buffer.alloc(0)
  let length = 0
  let number = 1
  function add(part: Uint8Array): void {
    const needed = length + part.length
    if (needed > mostLineBytes) throw refusedFiles('large', [`line ${number}`])
    if (needed > held.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * held.length, needed), mostLineBytes))
      held.copy(larger, 0, 0, length)
      held = larger
    }
    held.set(part, length)
    length = needed
  }
  function* endLine(): Generator<Line> {
    const bytes = held.subarray(0, length)
    const isEmpty = length <= mostStructureBytes && bytes.every(isBlank)
    if (!isEmpty) yield { number, bytes }
    number++
    length = 0
  }
  for await (const chunk of body) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, end))
      from = end + 1
      yield* endLine()
    }
    add(chunk.subarray(from))
  }
  yield* endLine()
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09
}
