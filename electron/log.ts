import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../server/state/make-folder.ts'

/** What the app and its sandboxes have reported, the latest of it. */
export interface Log {
  add: (text: string) => void
  /** The first line of each of the last entries: where it was thrown is for those who read all of it. */
  tail(count: number): string
  /** Writes all of it into its file, and says which that is. */
  write(): string
}

const keptEntries = 500
const longestEntry = 4000
const longestLine = 200

/**
 * A log in memory: what goes wrong is rare, and is written down when somebody wants to read it.
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
