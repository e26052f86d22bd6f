import type { LiveEntry } from '../../../../server/contract/live.ts'
import { describeEntry, type EntryLine, type EntryNames } from './describe-entry.ts'

export interface ActivityLine extends EntryLine {
  /** Of the newest fact that the line tells of. */
  entry: LiveEntry
  /** How often the same happened in a row. */
  times: number
}

/** Facts as lines, newest first; what happened several times in a row is one line. */
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
