import { crc32 } from 'node:zlib'
import { messageOf } from '../core/background.ts'
import { formatChecksum } from './checksum.ts'
import type { Entity } from './collection.ts'
import { DamagedError, lineError, type StateError } from './errors.ts'
import { parseTogether, readLines } from './files.ts'
import type { Place } from './restorer.ts'

export interface SnapshotData {
  /** Version of the records. */
  format: number
  /** Number of the first journal segment that the snapshot does not contain. */
  journal: number
  collections: ReadonlyMap<string, readonly Entity[]>
}

const headPattern = /^\{"format":(\d+),"journal":(\d+),"collections":\{$/
const collectionPattern = /^("(?:[^"\\]|\\.)*"):\[$/

/** Last line, with the checksum of all others. */
const endPattern = /^\},"crc32":"([0-9a-f]{8})"\}$/

/** Last line of files of earlier versions. */
const endUnchecked = '}}'

/** Writes a snapshot as JSON text with a line for each record and bracket; the last one has a checksum. */
export function* snapshotLines(data: SnapshotData): Generator<string> {
  let sum = 0
  for (const line of linesOf(data)) {
    sum = crc32(line, sum)
    yield line
  }
  yield `},"crc32":"${formatChecksum(sum)}"}\n`
}

function* linesOf({ format, journal, collections }: SnapshotData): Generator<string> {
  yield `{"format":${format},"journal":${journal},"collections":{\n`
  let restOfCollections = collections.size
  for (const [name, records] of collections) {
    yield `${JSON.stringify(name)}:[\n`
    let restOfRecords = records.length
    for (const record of records) {
      restOfRecords -= 1
      yield `${JSON.stringify(record)}${restOfRecords > 0 ? ',' : ''}\n`
    }
    restOfCollections -= 1
    yield restOfCollections > 0 ? '],\n' : ']\n'
  }
}

/** @throws {StateError} with the line, if the file does not have the layout of {@link snapshotLines} */
export async function parseSnapshot(file: string): Promise<SnapshotData> {
  const collections = new Map<string, Entity[]>()
  let head: RegExpExecArray | undefined
  let records: Entity[] | undefined
  let isComplete = false
  let last = 0
  let sum = 0
  for await (const { texts, number, areWhole, bytes } of readLines(file)) {
    const end = texts.at(-1) ?? ''
    const found = endPattern.exec(end)?.[1]
    sum = crc32(found === undefined ? bytes : bytes.subarray(0, -end.length - 1), sum)
    if (found !== undefined && found !== formatChecksum(sum)) {
      throw new DamagedError(`${file} was changed or damaged: its checksum does not match`, {
        file,
      })
    }
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index] ?? ''
      const line = number + index
      if (!areWhole || isComplete) throw unexpected(file, line)
      if (!head) {
        head = headPattern.exec(text) ?? undefined
        if (!head) throw unexpected(file, line)
      } else if (records) {
        if (text === ']' || text === '],') {
          records = undefined
        } else {
          const read = readRecords(texts, index, { file, line })
          for (const record of read) records.push(record)
          index += read.length - 1
        }
      } else if (text === endUnchecked || (found !== undefined && index === texts.length - 1)) {
        isComplete = true
      } else {
        const name = collectionPattern.exec(text)?.[1]
        if (name === undefined) throw unexpected(file, line)
        records = []
        collections.set(JSON.parse(name) as string, records)
      }
    }
    last = number + texts.length - 1
  }
  if (!head || !isComplete) {
    throw new DamagedError(`${file} ends too early, after line ${last}`, { file, line: last })
  }
  return { format: Number(head[1]), journal: Number(head[2]), collections }
}

/** Each record with its collection and its line, from 1, in a file parsed by {@link parseSnapshot}. */
export function* recordsWithLines(data: SnapshotData): Generator<[string, Entity, number]> {
  let line = 1
  for (const [name, records] of data.collections) {
    line += 1
    for (const record of records) {
      line += 1
      yield [name, record, line]
    }
    line += 1
  }
}

/** Returns the records from line `from`, up to a line that may end their collection. */
function readRecords(texts: readonly string[], from: number, { file, line }: Place): Entity[] {
  let end = from + 1
  while (end < texts.length && texts[end]?.startsWith(']') === false) end += 1
  const own = texts.slice(from, end)
  const together = parseTogether(`[${withoutComma(own.join('\n'))}]`, own.length)
  if (together) return together as Entity[]
  return own.map((text, index) => parseRecord(text, { file, line: line + index }))
}

function parseRecord(text: string, { file, line }: Place): Entity {
  try {
    return JSON.parse(withoutComma(text)) as Entity
  } catch (error) {
    throw lineError(file, line, `not JSON (${messageOf(error)})`, error)
  }
}

function withoutComma(text: string): string {
  return text.endsWith(',') ? text.slice(0, -1) : text
}

function unexpected(file: string, line: number): StateError {
  return lineError(file, line, 'not in the layout it was written in, one record per line')
}
