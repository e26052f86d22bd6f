import type { LiveEntry } from '../../../../server/contract/live.ts'
import { describeEntry, type EntryLine, type EntryNames } from './describe-entry.ts'

export interface ActivityLine extends EntryLine {
  /** Newest fact of the line. */
  entry: LiveEntry
  /** Number of equal facts in a row. */
  times: number
}

/** Turns facts into lines, newest first; equal facts in a row become one line. */
export function activityLines(
  entries: readonly LiveEntry[],
  names: EntryNames,
  most = Infinity,
): ActivityLine[] {
  const lines: ActivityLine[] = []
  for (const entry of entries) {
    const line = describeEntry(entry, names)
    if (!line) continue
    const before = lines.at(-1)
    if (before && before.text === line.text && before.detail === line.detail) before.times++
    else if (lines.length === most) break
    else lines.push({ ...line, entry, times: 1 })
  }
  return lines
}
