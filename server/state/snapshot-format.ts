import { messageOf } from '../core/background.ts'
import type { Entity } from './collection.ts'
import { lineError, StateError } from './errors.ts'
import { type Line, readLines } from './files.ts'

export interface SnapshotData {
  /** Version of the records. */
  format: number
  /** Number of the first journal segment that the snapshot does not contain. */
  journal: number
  collections: ReadonlyMap<string, readonly Entity[]>
}

const headPattern = /^\{"format":(\d+),"journal":(\d+),"collections":\{$/
const collectionPattern = /^("(?:[^"\\]|\\.)*"):\[$/

/** A snapshot as JSON text: every record on a line of its own, and so every bracket around them. */
export function* snapshotLines({ format, journal, collections }: SnapshotData): Generator<string> {
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
  yield '}}\n'
}

/** @throws {StateError} naming the line, when the file is not laid out as {@link snapshotLines} does it */
export async function parseSnapshot(file: string): Promise<SnapshotData> {
  const collections = new Map<string, Entity[]>()
  let head: RegExpExecArray | undefined
  let records: Entity[] | undefined
  let isComplete = false
  let last = 0
  for await (const line of readLines(file)) {
    last = line.number
    const { text } = line
    if (!line.isWhole || isComplete) throw unexpected(file, line)
    if (!head) {
      head = headPattern.exec(text) ?? undefined
      if (!head) throw unexpected(file, line)
    } else if (records) {
      if (text === ']' || text === '],') records = undefined
      else records.push(parseRecord(file, line))
    } else if (text === '}}') {
      isComplete = true
    } else {
      const name = collectionPattern.exec(text)?.[1]
      if (name === undefined) throw unexpected(file, line)
      records = []
      collections.set(JSON.parse(name) as string, records)
    }
  }
  if (!head || !isComplete) {
    throw new StateError(`${file} ends too early, after line ${last}`, { file, line: last })
  }
  return { format: Number(head[1]), journal: Number(head[2]), collections }
}

/** Each record with its collection and its line, counted from 1, in a file that {@link parseSnapshot} took. */
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

function parseRecord(file: string, { text, number }: Line): Entity {
  try {
    return JSON.parse(text.endsWith(',') ? text.slice(0, -1) : text) as Entity
  } catch (error) {
    throw lineError(file, number, `not JSON (${messageOf(error)})`, error)
  }
}

function unexpected(file: string, { number }: Line): StateError {
  return lineError(file, number, 'not in the layout it was written in, one record per line')
}
