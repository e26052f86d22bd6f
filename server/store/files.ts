import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { errorCode, fileError, lineError, StateError } from './errors.ts'
import { openFlags } from './private-files.ts'

/** Consecutive lines of a file, without line feeds. */
export interface Lines {
  texts: readonly string[]
  /** Number of the first line, from 1. */
  number: number
  /** Offset after the line feed of the last line or, without one, of its first byte. */
  end: number
  /** False for a last line without a line feed, which may be cut anywhere; its text is left out. */
  areWhole: boolean
  /** The same as bytes, which are valid until the next lines are read. */
  bytes: Buffer
}

export const lineFeed = 0x0a

/** Bytes per read: enough for hundreds of records, and few enough for a processor's cache. */
const blockBytes = 256 * 1024

/**
 * Reads the lines of a file of any size, many at a time: one by one, calls and copies would cost more than parsing. An
 * empty rest after the last line feed is not a line.
 * @param limit bytes to read, up to the end of a line; default: all
 */
export async function* readLines(
  file: string,
  limit?: number,
): AsyncGenerator<Lines, void, undefined> {
  let number = 1
  for await (const { bytes, start, areWhole } of readLineBlocks(file, limit)) {
    if (!areWhole) {
      yield { texts: [''], number, end: start, areWhole, bytes }
      return
    }
    const areText = isUtf8(bytes)
    const texts = areText ? split(bytes) : splitBeforeBroken(bytes)
    yield { texts, number, end: start + bytes.length, areWhole, bytes }
    number += texts.length
    if (!areText) throw lineError(file, number, 'not UTF-8')
  }
}

/** Consecutive lines of a file as bytes, which are valid until the next ones are read. */
interface LineBlock {
  bytes: Buffer
  /** Offset of the first byte. */
  start: number
  /** False for a last line without a line feed. */
  areWhole: boolean
}

/**
 * Reads the lines of a file of any size, many at a time.
 * @param limit bytes to read, up to the end of a line; default: all
 */
export async function* readLineBlocks(
  file: string,
  limit = Infinity,
): AsyncGenerator<LineBlock, void, undefined> {
  try {
    const handle = await open(file, openFlags.read)
    try {
      const found = await handle.stat()
      if (!found.isFile() && !found.isDirectory()) {
        throw new StateError(`${file} is a pipe or device, not a file: remove it`, { file })
      }
      yield* blocksOf(handle, limit)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw fileError('read', file, error)
  }
}

async function* blocksOf(
  handle: FileHandle,
  limit: number,
): AsyncGenerator<LineBlock, void, undefined> {
  let buffer = Buffer.allocUnsafe(blockBytes)
  /** Bytes of a line that continues in the next block. */
  let rest = 0
  let start = 0
  for (;;) {
    if (rest === buffer.length) buffer = Buffer.concat([buffer], rest * 2)
    const most = Math.min(buffer.length - rest, limit - start - rest)
    const { bytesRead } = await handle.read(buffer, rest, most)
    if (bytesRead === 0) break
    const filled = rest + bytesRead
    const end = buffer.lastIndexOf(lineFeed, filled - 1) + 1
    if (end > 0) {
      yield { bytes: buffer.subarray(0, end), start, areWhole: true }
      start += end
      buffer.copyWithin(0, end, filled)
    }
    rest = filled - end
  }
  if (rest > 0) yield { bytes: buffer.subarray(0, rest), start, areWhole: false }
}

function split(bytes: Buffer): string[] {
  return bytes.toString('utf8', 0, bytes.length - 1).split('\n')
}

/** Lines before the one that is not UTF-8. */
function splitBeforeBroken(bytes: Buffer): string[] {
  let start = 0
  for (let end = bytes.indexOf(lineFeed); isUtf8(bytes.subarray(start, end));) {
    start = end + 1
    end = bytes.indexOf(lineFeed, start)
  }
  return start === 0 ? [] : split(bytes.subarray(0, start))
}

/**
 * Parses lines together, which takes a fraction of the time of parsing one by one.
 * @param list the lines joined into a JSON list
 * @returns undefined on failure; parse them one by one to find the faulty line
 */
export function parseTogether(list: string, lines: number): unknown[] | undefined {
  try {
    const values = JSON.parse(list) as unknown[]
    return values.length === lines ? values : undefined
  } catch {
    return undefined
  }
}

/** Renames a file so that it is no longer read, replacing one that was set aside before. */
export async function setAside(file: string): Promise<void> {
  await rename(file, `${file}.damaged`)
}

/**
 * Makes created, renamed and deleted names of a folder survive a power cut.
 * @throws {StateError} when the disk refuses it
 */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    await syncFolder(directory)
  } catch (error) {
    throw fileError('sync', directory, error)
  }
}

async function syncFolder(directory: string): Promise<void> {
  // Windows does not open folders; its file systems journal their names themselves.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Does {@link syncDirectory}, unless this user may not open the folder: names can be created in a folder that cannot be read. */
export async function syncNames(directory: string): Promise<void> {
  try {
    await syncFolder(directory)
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error
  }
}

/** Reads a small text; `undefined` for a missing file. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
