import { isUtf8 } from 'node:buffer'
import { beginningOf } from '../core/encode-text.ts'
import { isObject } from '../core/is-object.ts'
import { own } from '../core/own.ts'
import { Refusal } from '../core/refusal.ts'
import { type ContentShelf, contentsOfCommit } from './commit-contents.ts'
import {
  type CommitHeader,
  type CommitKey,
  type CommitPart,
  invalidPart,
  isCommitKey,
  knownMembers,
  readHeader,
  readOperation,
} from './commit-operations.ts'
import type { FileOperation } from './commits.ts'
import { largestRegularFile, refusedFiles } from './file-rules.ts'
import type { LfsOperation } from './lfs-operations.ts'

/** Commit as its client describes it, line by line. */
export type CommitLines = CommitHeader & {
  operations: (FileOperation | LfsOperation)[]
  /** Unknown members, described for people. */
  passedOver: string[]
}

type Members = Readonly<Record<string, unknown>>
type Pause = () => Promise<void> | undefined

/** Line with a file. As a JSON string its content may be twice as long. */
const mostLineBytes = 2 * largestRegularFile + 1024 * 1024
/** Line of any other key. */
const mostOtherBytes = 1024 * 1024
/** Bytes of a line outside its strings, so that parsing cannot make many values of it. */
const mostStructureBytes = 64 * 1024
const mostLevels = 16
/** Unknown members that are reported by name: each line may have many. */
const mostNamed = 5

const [newline, quote, backslash] = [0x0a, 0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

interface Line {
  readonly number: number
  readonly bytes: Buffer
}

/**
 * Reads the body of a commit: one JSON object a line, first the header, then one operation for each file. Large contents
 * are stored when their line ends. Unknown members are ignored, as on the hub.
 * @param shelf stores them before the commit names them
 * @param pause gives others their turn: a chunk of the body may have hundreds of lines
 * @throws {Refusal} `invalid` naming the line, `unprocessable` for an invalid path
 */
export async function readCommitLines(
  body: AsyncIterable<Uint8Array>,
  shelf: ContentShelf,
  pause: Pause = () => undefined,
): Promise<CommitLines> {
  let header: CommitHeader | undefined
  const operations: CommitLines['operations'] = []
  const unknown = new UnknownMembers()
  const keep = contentsOfCommit(shelf)
  for await (const line of splitLines(body)) {
    const part = { where: `Line ${line.number} of the commit` }
    const { key, value } = readLine(part, await readJson(part, line.bytes, pause), unknown)
    if (key !== 'file' && line.bytes.length > mostOtherBytes) {
      throw invalidPart(part, `more than ${mostOtherBytes} bytes, the limit for a ${key}`)
    }
    if (key === 'header') {
      if (header !== undefined) throw invalidPart(part, 'a second header')
      header = readHeader({ ...part, value })
      continue
    }
    if (header === undefined) throw invalidPart(part, 'the header must come first')
    await pause()
    operations.push(await readOperation(key, { ...part, value }, keep))
  }
  if (header === undefined) throw new Refusal('invalid', 'The commit has no header line')
  return { ...header, operations, passedOver: unknown.describe() }
}

/** Collects the unknown members of lines. */
class UnknownMembers {
  readonly #named: string[] = []
  #more = 0

  look(where: string, members: Members, known: readonly string[]): void {
    for (const name of Object.keys(members)) {
      if (known.includes(name)) continue
      if (this.#named.length === mostNamed) this.#more++
      else this.#named.push(`${where} has an unknown member ${shown(name)}`)
    }
  }

  describe(): string[] {
    return this.#more === 0 ? this.#named : [...this.#named, `and ${this.#more} more`]
  }
}

function shown(name: string): string {
  return JSON.stringify(name.length > 50 ? `${beginningOf(name, 50)}...` : name)
}

/** Parses a line, step by step, since one may have 20 MiB. */
async function readJson(
  part: Pick<CommitPart, 'where'>,
  bytes: Buffer,
  pause: Pause,
): Promise<unknown> {
  await pause()
  if (!isUtf8(bytes)) throw invalidPart(part, 'it is no UTF-8')
  checkStructure(part, bytes)
  await pause()
  const text = bytes.toString()
  await pause()
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidPart(part, `it is no JSON: ${error.message}`)
    throw error
  }
}

function readLine(
  part: Pick<CommitPart, 'where'>,
  parsed: unknown,
  unknown: UnknownMembers,
): { key: CommitKey; value: Members } {
  if (!isObject(parsed)) throw invalidPart(part, 'it is no JSON object')
  const [key, value] = [own(parsed, 'key'), own(parsed, 'value')]
  if (typeof key !== 'string') throw invalidPart(part, 'it has no key')
  if (!isObject(value)) throw invalidPart(part, 'its value is no object')
  if (!isCommitKey(key)) throw invalidPart(part, `unknown key ${shown(key)}`)
  const line = part.where.replace(' of the commit', '').toLowerCase()
  unknown.look(`${line}: it`, parsed, ['key', 'value'])
  unknown.look(`${line}: its ${key}`, value, knownMembers[key])
  return { key, value }
}

/** Splits a body into its lines, without empty ones. The bytes of a line are valid until the next one is asked for. */
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

/**
 * Checks how much of a line is outside its strings, and how deep it is nested, before it is parsed.
 * @throws {Refusal} `invalid`
 */
function checkStructure(part: Pick<CommitPart, 'where'>, bytes: Buffer): void {
  let [structure, depth, isString] = [0, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isString) {
      if (byte === backslash) at++
      else if (byte === quote) isString = false
      continue
    }
    structure++
    if (byte === quote) isString = true
    else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) depth--
    if (depth > mostLevels) {
      throw invalidPart(part, `it is nested more than ${mostLevels} levels deep`)
    }
    if (structure > mostStructureBytes) {
      throw invalidPart(part, `more than ${mostStructureBytes} bytes outside its strings`)
    }
  }
}
