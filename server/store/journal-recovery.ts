import { messageOf } from '../core/background.ts'
import type { AnyCollection } from './collection.ts'
import { DamagedError, lineError, NewerError, UnknownRecordError } from './errors.ts'
import { parseTogether, readLines } from './files.ts'
import { createRecordCheck } from './record-check.ts'
import { Restorer } from './restorer.ts'
import {
  findTail,
  hasUnits,
  isMark,
  listSegments,
  type SegmentHeader,
  segmentFile,
} from './segment.ts'
import { checkedUnit, type Holds } from './written-change.ts'
import { recordsWithLines, type SnapshotData } from './snapshot-format.ts'

export interface RecoveryOptions {
  directory: string
  format: number
  /** Empty collections for the records, by name. */
  collections: ReadonlyMap<string, AnyCollection>
  snapshotFile: string
  /** Snapshot; undefined if there is none. */
  snapshot: SnapshotData | undefined
  /** Checks whether what a change refers to is there; see {@link WrittenBefore.holds}. */
  holds?: Holds | undefined
}

export interface RecoveredStore {
  /** Newest segment, which the journal continues. */
  segment: number
  /** Length of its complete lines; 0 if it has to be created. */
  segmentBytes: number
  /** Units and bytes read from all segments. */
  units: number
  bytes: number
  /** First byte of the newest segment that a power cut has spoiled; what follows is left out. Absent = none. */
  spoiledAt?: number
}

/**
 * Fills the collections from the snapshot and the following journal segments. An incomplete last line of the newest
 * segment was never confirmed and is left out. So is everything from the first change on that a power cut has spoiled,
 * which was never synced. All else must be valid. Changes no file.
 * @throws {DamagedError} with the file and the damaged line
 * @throws {StateError} if a file cannot be read
 */
export async function recover(options: RecoveryOptions): Promise<RecoveredStore> {
  const { snapshot, snapshotFile: file, format } = options
  if (snapshot) checkFormat(file, snapshot.format, format)
  const segments = await withoutEmptyEnd(options.directory, await findSegments(options))
  const newest = segments.at(-1)
  if (newest === undefined) return { segment: 1, segmentBytes: 0, units: 0, bytes: 0 }

  const restorer = new Restorer(options.collections, await createRecordCheck(options.collections))
  if (snapshot) {
    for (const [name, record, line] of recordsWithLines(snapshot)) {
      restorer.add(name, record, { file, line })
    }
  }
  const recovered: RecoveredStore = {
    segment: newest,
    segmentBytes: 0,
    units: 0,
    bytes: 0,
  }
  for (const journal of segments) {
    const replayed = await replay(options, restorer, journal, journal === newest)
    recovered.segmentBytes = replayed.bytes
    recovered.bytes += replayed.bytes
    recovered.units += replayed.units
    if (replayed.isSpoiled) recovered.spoiledAt = replayed.bytes
  }
  return recovered
}

/** Returns the segments that continue the snapshot, without a gap. */
async function findSegments(options: RecoveryOptions): Promise<number[]> {
  const { directory, snapshot, snapshotFile } = options
  const first = snapshot?.journal ?? 1
  const segments = (await listSegments(directory)).filter((number) => number >= first)
  if (segments.length === 0 && !snapshot) return []
  const gap = segments.findIndex((number, index) => number !== first + index)
  if (segments.length > 0 && gap < 0) return segments
  const missing =
    gap === 0 && !snapshot ? snapshotFile : segmentFile(directory, first + Math.max(gap, 0))
  throw new DamagedError(`${missing} is missing; the other files in the folder depend on it`, {
    file: missing,
  })
}

/**
 * Leaves out segments without changes at the end: where the disk refuses to create one, it may be left, and the journal
 * continues in the one before.
 */
async function withoutEmptyEnd(
  directory: string,
  segments: readonly number[],
): Promise<readonly number[]> {
  const last = segments.at(-1)
  if (last === undefined || segments.length === 1) return segments
  return (await hasUnits(segmentFile(directory, last)))
    ? segments
    : withoutEmptyEnd(directory, segments.slice(0, -1))
}

interface Replayed {
  units: number
  /** Bytes of the segment up to the last unit that counts. */
  bytes: number
  isSpoiled: boolean
}

async function replay(
  options: RecoveryOptions,
  restorer: Restorer,
  journal: number,
  isNewest: boolean,
): Promise<Replayed> {
  const file = segmentFile(options.directory, journal)
  // Older segments were synced before the next one was created.
  const { synced, tornAt } = isNewest
    ? await findTail(file)
    : { synced: Infinity, tornAt: undefined }
  const isTorn = tornAt !== undefined && tornAt >= synced
  const replayed: Replayed = { units: 0, bytes: 0, isSpoiled: isTorn }
  for await (const { texts, number, end, areWhole } of readLines(
    file,
    isTorn ? tornAt : undefined,
  )) {
    if (!areWhole) {
      if (!isNewest) throw lineError(file, number, 'cut off, although a newer file follows')
      break
    }
    const values = parseTogether(`[${texts.join(',\n')}]`, texts.length)
    for (const [index, text] of texts.entries()) {
      const line = number + index
      const value = values ? values[index] : parse(text, file, line)
      if (line === 1) {
        checkFormat(file, checkedHeader(file, value, journal).format, options.format)
      } else if (!isMark(text)) {
        const unit = checkedUnit(text, value)
        if (unit === undefined) throw lineError(file, line, 'its checksum does not match')
        const isDoubtful = end > synced && replayed.bytes >= synced
        if (isDoubtful && !restorer.isBacked(unit, options.holds)) {
          return { ...replayed, isSpoiled: true }
        }
        restorer.applyUnit(unit, { file, line })
        replayed.units += 1
      }
      replayed.bytes = end > synced ? replayed.bytes + Buffer.byteLength(text) + 1 : end
    }
  }
  if (replayed.bytes === 0 && !isNewest)
    throw lineError(file, 1, 'missing, although a newer file follows')
  return replayed
}

function parse(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw lineError(file, line, `not JSON (${messageOf(error)})`, error)
  }
}

function checkedHeader(file: string, value: unknown, journal: number): SegmentHeader {
  const header = value as Partial<SegmentHeader> | null
  if (typeof header?.format !== 'number' || header.journal !== journal) {
    throw new UnknownRecordError(`not the start of journal ${journal}`, { file, line: 1 })
  }
  return { format: header.format, journal }
}

function checkFormat(file: string, found: number, format: number): void {
  if (found > format) {
    throw new NewerError(
      `written by a newer version of hub-sandbox (format ${found}, this version reads ${format})`,
      { file, line: 1 },
    )
  }
  if (found < format) throw lineError(file, 1, 'written by a version before 0.1')
}
