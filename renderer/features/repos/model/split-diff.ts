/** Part of a diff that belongs to one file. */
export interface FileDiff {
  path: string
  lines: readonly string[]
}

/** Splits a unified diff, as git prints it, into its files. */
export function splitDiff(diff: string): FileDiff[] {
  if (diff === '') return []
  return diff
    .split(/^(?=diff --git )/m)
    .map((part) => part.replace(/\n$/, '').split('\n'))
    .map((lines) => ({ path: pathOf(lines), lines: linesOf(lines) }))
}

/** Returns the path after the change, or before it for a deleted file. */
function pathOf(lines: readonly string[]): string {
  const after = nameIn(lines, '+++ b/') ?? nameIn(lines, '--- a/')
  return after ?? lines[0]?.split(' b/').at(-1) ?? ''
}

function nameIn(lines: readonly string[], prefix: string): string | undefined {
  const header = lines.slice(0, hunkStart(lines))
  return header.find((line) => line.startsWith(prefix))?.slice(prefix.length)
}

/** Leaves out the header, whose path is the title; a file without hunks keeps its note. */
function linesOf(lines: readonly string[]): readonly string[] {
  const start = hunkStart(lines)
  if (start < lines.length) return lines.slice(start)
  return lines.filter((line) => /^(?:Binary files|old mode|new mode)/.test(line))
}

function hunkStart(lines: readonly string[]): number {
  const index = lines.findIndex((line) => line.startsWith('@@ '))
  return index === -1 ? lines.length : index
}
