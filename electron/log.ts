import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../server/store/make-folder.ts'

/** Latest reports of the app and its sandboxes. */
export interface Log {
  add: (text: string) => void
  /** Returns the first line of the last entries, without stack traces. */
  tail(count: number): string
  /** Writes the log to its file and returns the path. */
  write(): string
}

const keptEntries = 500
const longestEntry = 4000
const longestLine = 200

/**
 * Creates a log in memory, written to disk only when the user opens it.
 * @param now milliseconds since 1970
 */
export function createLog(file: string, now: () => number = Date.now): Log {
  let entries: string[] = []
  return {
    add(text) {
      const entry = `${new Date(now()).toISOString()} ${text.slice(0, longestEntry)}`
      entries = [...entries, entry].slice(-keptEntries)
    },
    tail: (count) =>
      entries
        .slice(-count)
        .map((entry) => entry.replace(/\n.*/s, '').slice(0, longestLine))
        .join('\n'),
    write() {
      makeFolder(dirname(file))
      writeFileSync(file, `${entries.join('\n')}\n`)
      return file
    },
  }
}
