import { isObject } from '../core/is-object.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { beginningOf } from '../core/encode-text.ts'
import { Refusal } from '../core/refusal.ts'
import { own } from '../core/own.ts'
import type { CommitInput, FileOperation } from './commits.ts'
import { checkFilePath } from './file-paths.ts'
import { type ContentShelf, type KeptContent, LineContent, type MayWait } from './line-content.ts'
import type { LfsOperation } from './lfs-operations.ts'
import { largestRegularFile, refusedFiles } from './file-rules.ts'

type Members = Readonly<Record<string, unknown>>

/** What a client says of a commit, line by line. */
export type CommitLines = Pick<CommitInput, 'title' | 'description' | 'parentCommit'> & {
  operations: (FileOperation | LfsOperation)[]
  /** What nobody knows the meaning of, as texts for people. */
  passedOver: string[]
}

/** What a line may say, and of what. */
const knownMembers = {
  header: ['summary', 'description', 'parentCommit'],
  file: ['path', 'content', 'encoding', 'oldPath'],
  lfsFile: ['path', 'algo', 'oid', 'size', 'oldPath'],
  deletedFile: ['path'],
  deletedFolder: ['path'],
} satisfies Record<string, readonly string[]>
type Key = keyof typeof knownMembers
/** So many members that nobody knows are told by name: each line may have some. */
const mostNamed = 5

/** Of a line, without the content of its file. */
const mostLineBytes = 1024 * 1024
const mostLevels = 16
/** Of all files of a commit: where there is no data folder, they are in memory. */
const mostCommitBytes = 512 * 1024 * 1024
/** So much of all files waits in memory until the commit is made; what comes then is kept at once, as large files are. */
const mostWaitingBytes = 4 * 1024 * 1024
const limits = { mostBytes: largestRegularFile, waitingBytes: 64 * 1024 }

const [newline, quote, backslash] = [0x0a, 0x22, 0x5c]
const [colon, comma] = [0x3a, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** A line of JSON, and apart from it the content of the file that it is about. */
interface Line {
  readonly number: number
  readonly text: string
  readonly content: LineContent | undefined
}

/**
 * Reads the body of a commit: JSON, one object a line, a header and what is done to each file. Contents are decoded as
 * they arrive, and put aside where they are large, so that no line is ever in memory as a whole. Members that nobody
 * knows are passed over, as the hub does.
 * @param shelf keeps them before the commit that names them
 * @param pause lets others have their turn: a part of the body may have hundreds of lines
 * @throws {Refusal} `invalid` naming the line, `unprocessable` for a path that cannot be
 */
export async function readCommitLines(
  body: AsyncIterable<Uint8Array>,
  shelf: ContentShelf,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<CommitLines> {
  let header: Header | undefined
  const operations: CommitLines['operations'] = []
  const unknown = new UnknownMembers()
  let [bytes, waiting] = [0, 0]
  const take = async (line: Line, value: Members) => {
    const taken = await takeContent(line, value, (size) => waiting + size <= mostWaitingBytes)
    if ('content' in taken) waiting += taken.content.length
    return taken
  }
  for await (const line of splitLines(body, shelf)) {
    const turn = pause()
    if (turn !== undefined) await turn
    const { key, value } = parseLine(line, unknown)
    if (key === 'header') {
      if (header !== undefined) throw invalid(line, 'a second header')
      header = readHeader(line, value)
      continue
    }
    if (header === undefined) throw invalid(line, 'the header must come first')
    bytes += line.content?.size ?? 0
    if (bytes > mostCommitBytes) {
      throw invalid(line, `the files of a commit may have ${mostCommitBytes} bytes in all`)
    }
    operations.push(
      key === 'file' ? await readFile(line, value, take) : readOperation(line, key, value),
    )
  }
  if (header === undefined) throw new Refusal('invalid', 'The commit has no header line')
  return { ...header, operations, passedOver: unknown.describe() }
}

type Header = Omit<CommitLines, 'operations' | 'passedOver'>

/** The members of lines that nobody knows. */
class UnknownMembers {
  readonly #named: string[] = []
  #more = 0

  look({ number }: Line, where: string, members: Members, known: readonly string[]): void {
    for (const name of Object.keys(members)) {
      if (known.includes(name)) continue
      if (this.#named.length === mostNamed) this.#more++
      else this.#named.push(`line ${number}: ${where} has an unknown member ${shown(name)}`)
    }
  }

  describe(): string[] {
    return this.#more === 0 ? this.#named : [...this.#named, `and ${this.#more} more`]
  }
}

function shown(name: string): string {
  return JSON.stringify(name.length > 50 ? `${beginningOf(name, 50)}...` : name)
}

function parseLine(line: Line, unknown: UnknownMembers): { key: Key; value: Members } {
  let parsed: unknown
  try {
    parsed = JSON.parse(line.text)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(line, `it is no JSON: ${error.message}`)
    throw error
  }
  if (!isObject(parsed)) throw invalid(line, 'it is no JSON object')
  const [key, value] = [own(parsed, 'key'), own(parsed, 'value')]
  if (typeof key !== 'string') throw invalid(line, 'it has no key')
  if (!isObject(value)) throw invalid(line, 'its value is no object')
  if (!isKey(key)) throw invalid(line, `unknown key ${JSON.stringify(key)}`)
  unknown.look(line, 'it', parsed, ['key', 'value'])
  unknown.look(line, `its ${key}`, value, knownMembers[key])
  return { key, value }
}

function isKey(key: string): key is Key {
  return Object.hasOwn(knownMembers, key)
}

function readHeader(line: Line, value: Members): Header {
  const title = textOf(line, value, 'summary')
  if (title === undefined || title.trim() === '') throw invalid(line, 'summary is empty')
  return {
    title,
    ...omitUndefined({
      description: textOf(line, value, 'description'),
      parentCommit: textOf(line, value, 'parentCommit'),
    }),
  }
}

async function readFile(
  line: Line,
  value: Members,
  take: (line: Line, value: Members) => Promise<KeptContent>,
): Promise<FileOperation> {
  const oldPath = oldPathOf(line, value)
  const path = pathOf(line, value)
  const isMoved = line.content === undefined && (own(value, 'content') ?? undefined) === undefined
  if (oldPath !== undefined && isMoved) return { kind: 'move', path, oldPath }
  const taken = await take(line, value)
  return { kind: 'add', path, ...taken, ...omitUndefined({ oldPath }) }
}

function readOperation(
  line: Line,
  key: Exclude<Key, 'header' | 'file'>,
  value: Members,
): FileOperation | LfsOperation {
  switch (key) {
    case 'deletedFile':
      return { kind: 'delete', path: pathOf(line, value) }
    case 'deletedFolder':
      return { kind: 'deleteFolder', path: pathOf(line, value, /\/$/) }
    default:
      return readLargeFile(line, value)
  }
}

function readLargeFile(line: Line, value: Members): FileOperation | LfsOperation {
  const path = pathOf(line, value)
  const oldPath = oldPathOf(line, value)
  const algorithm = textOf(line, value, 'algo') ?? 'sha256'
  if (algorithm !== 'sha256') throw invalid(line, `unknown algo ${JSON.stringify(algorithm)}`)
  const oid = textOf(line, value, 'oid')
  if (oid === undefined && oldPath !== undefined) return { kind: 'move', path, oldPath }
  if (oid === undefined || !/^[0-9a-f]{64}$/.test(oid))
    throw invalid(line, 'oid is no SHA-256: 64 hex digits')
  const size = own(value, 'size') ?? undefined
  const named = { kind: 'lfs' as const, path, oid, ...omitUndefined({ oldPath }) }
  if (size === undefined) return named
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw invalid(line, 'size is no number of bytes')
  }
  return { ...named, size }
}

function oldPathOf(line: Line, value: Members): string | undefined {
  const oldPath = textOf(line, value, 'oldPath')
  if (oldPath !== undefined) checkFilePath(oldPath)
  return oldPath
}

function pathOf(line: Line, value: Members, ending?: RegExp): string {
  const given = textOf(line, value, 'path')
  if (given === undefined) throw invalid(line, 'path is missing')
  const path = ending === undefined ? given : given.replace(ending, '')
  checkFilePath(path)
  return path
}

async function takeContent(line: Line, value: Members, mayWait: MayWait): Promise<KeptContent> {
  const encoding = textOf(line, value, 'encoding') ?? 'utf-8'
  if (encoding !== 'base64' && encoding !== 'utf-8') {
    throw invalid(line, `unknown encoding ${JSON.stringify(encoding)}`)
  }
  if (line.content === undefined) throw invalid(line, 'content is no text')
  const taken = await line.content.take(encoding, mayWait)
  if (taken === undefined) throw invalid(line, `content is no ${encoding}`)
  if (taken === 'too large') throw tooLarge(textOf(line, value, 'path') ?? `line ${line.number}`)
  return taken
}

/** @returns `undefined` where it is absent, or null */
function textOf(line: Line, value: Members, name: string): string | undefined {
  const text = own(value, name)
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string') throw invalid(line, `${name} is no text`)
  return text
}

/** Cuts a body into lines that are not empty, with the text of each member `content` of the second level apart. */
async function* splitLines(
  body: AsyncIterable<Uint8Array>,
  shelf: ContentShelf,
): AsyncGenerator<Line> {
  const scanner = createScanner(() => new LineContent(shelf, limits))
  try {
    for await (const chunk of body) {
      yield* closing(scanner.scan(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)))
      await scanner.content()?.flush()
    }
    yield* closing(scanner.scan(Buffer.of(newline)))
  } finally {
    await scanner.content()?.close()
  }
}

/** Lets go of what a line has put aside when it was read. */
async function* closing(lines: Iterable<Line>): AsyncGenerator<Line> {
  for (const line of lines) {
    try {
      yield line
    } finally {
      await line.content?.close()
    }
  }
}

function createScanner(beginContent: () => LineContent) {
  let number = 1
  let parts: Buffer[] = []
  let length = 0
  let depth = 0
  let content: LineContent | undefined
  let where: 'outside' | 'text' | 'content' = 'outside'
  let isEscaped = false
  /** The text that stands before a colon, of the second level. */
  let name: Buffer[] = []
  let isValue = false

  const keep = (part: Buffer) => {
    length += part.length
    if (length > mostLineBytes)
      throw invalid({ number }, `more than ${mostLineBytes} bytes beside the content`)
    parts.push(Buffer.from(part))
  }

  /** Where a text ends, or what is seen of it. @returns -1 when its end is not in the chunk */
  const findEnd = (chunk: Buffer, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      if (chunk[at] === newline) return at
      if (isEscaped) isEscaped = false
      else if (chunk[at] === backslash) isEscaped = true
      else if (chunk[at] === quote) return at
    }
    return -1
  }

  function endLine(): Line | undefined {
    const bytes = Buffer.concat(parts)
    const isEmpty = bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
    const line = isEmpty ? undefined : { number, text: readText(bytes, number), content }
    number++
    parts = []
    ;[length, depth, content, where, isEscaped] = [0, 0, undefined, 'outside', false]
    ;[name, isValue] = [[], false]
    return line
  }

  function* scan(chunk: Buffer): Generator<Line> {
    let at = 0
    while (at < chunk.length) {
      if (where === 'outside') {
        const from = at
        while (at < chunk.length && chunk[at] !== newline && chunk[at] !== quote) note(chunk[at++])
        keep(chunk.subarray(from, at))
        if (at === chunk.length) return
        if (chunk[at] === newline) {
          const line = endLine()
          if (line !== undefined) yield line
        } else {
          keep(chunk.subarray(at, at + 1))
          where = beginText()
        }
        at++
        continue
      }
      const end = findEnd(chunk, at)
      const part = chunk.subarray(at, end === -1 ? chunk.length : end)
      takeText(part)
      if (end === -1) return
      at = end
      if (chunk[end] === newline) {
        // No text of JSON goes over the end of a line.
        where = 'outside'
        continue
      }
      keep(chunk.subarray(end, ++at))
      where = 'outside'
    }
  }

  function note(byte: number | undefined): void {
    if (byte === openBrace || byte === openBracket) {
      if (++depth > mostLevels)
        throw invalid({ number }, `it is nested more than ${mostLevels} levels deep`)
      isValue = false
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
      isValue = false
    } else if (byte === colon) isValue = true
    else if (byte === comma) isValue = false
  }

  function beginText(): 'text' | 'content' {
    isEscaped = false
    if (depth === 2 && isValue && Buffer.concat(name).toString('latin1') === 'content') {
      if (content !== undefined) throw invalid({ number }, 'content is there twice')
      content = beginContent()
      return 'content'
    }
    if (!isValue) name = []
    return 'text'
  }

  function takeText(part: Buffer): void {
    if (where === 'text') {
      keep(part)
      if (depth === 2 && !isValue) name.push(Buffer.from(part))
      return
    }
    content?.write(part)
    // As a text it is longer than what it stands for.
    if ((content?.size ?? 0) > 2 * largestRegularFile) throw tooLarge(`line ${number}`)
  }

  return {
    scan,
    /** Of the line that has not ended. */
    content: () => content,
  }
}

function readText(bytes: Buffer, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw invalid({ number }, 'it is no UTF-8')
    throw error
  }
}

function invalid({ number }: Pick<Line, 'number'>, problem: string): Refusal {
  return new Refusal('invalid', `Line ${number} of the commit: ${problem}`)
}

function tooLarge(file: string): Refusal {
  return refusedFiles('large', [file])
}
