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
  const after = nameIn(lines, '+++ ', 'b/') ?? nameIn(lines, '--- ', 'a/')
  if (after !== undefined) return after
  const [first = ''] = lines
  return first.endsWith('"')
    ? unquote(first.slice(first.lastIndexOf(' "') + 1)).slice('b/'.length)
    : (first.split(' b/').at(-1) ?? '')
}

function nameIn(lines: readonly string[], prefix: string, side: string): string | undefined {
  const header = lines.slice(0, hunkStart(lines)).filter((line) => line.startsWith(prefix))
  const names = header.map((line) => unquote(line.slice(prefix.length)))
  return names.find((name) => name.startsWith(side))?.slice(side.length)
}

/** Decodes a path with other bytes than those of ASCII: `"a/caf\303\251"`. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name
  const bytes = [...name.slice(1, -1).matchAll(/\\([0-7]{3})|\\?([^])/g)].map(
    ([whole, octal, character = '']) =>
      octal === undefined
        ? (escaped.get(whole) ?? character.charCodeAt(0))
        : Number.parseInt(octal, 8),
  )
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** Bytes that have a letter instead of a number. */
const escaped = new Map([
  ['\\t', 9],
  ['\\n', 10],
  ['\\r', 13],
])

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
