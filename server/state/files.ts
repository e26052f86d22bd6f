import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { fileError, lineError } from './errors.ts'

export interface Line {
  /** Without the line feed. */
  text: string
  /** Counted from 1. */
  number: number
  /** Offset of the byte after its line feed; without one, of its own first byte. */
  end: number
  /** False for a last line without a line feed: it may be cut anywhere, so its text is left out. */
  isWhole: boolean
}

const lineFeed = 0x0a

/** Reads a file line by line, so that its size is no limit. An empty rest after the last line feed is no line. */
export async function* readLines(file: string): AsyncGenerator<Line, void, undefined> {
  let pieces: Buffer[] = []
  let number = 1
  let offset = 0
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      const bytes: Buffer = chunk
      let from = 0
      for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
        pieces.push(bytes.subarray(from, end))
        const line = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
        if (!isUtf8(line)) throw lineError(file, number, 'not UTF-8')
        offset += line.length + 1
        yield { text: line.toString('utf8'), number, end: offset, isWhole: true }
        pieces = []
        number += 1
        from = end + 1
      }
      if (from < bytes.length) pieces.push(bytes.subarray(from))
    }
  } catch (error) {
    throw fileError('read', file, error)
  }
  if (pieces.length > 0) yield { text: '', number, end: offset, isWhole: false }
}

/** Makes created, renamed and deleted names of a folder survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows does not open folders; its file systems journal their names themselves.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
