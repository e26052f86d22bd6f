import { oneLine } from './paint.ts'
import { padShown, shortenShown, shownWidth } from './shown-width.ts'

const watched = new Set<NodeJS.WriteStream>()

/** Writes what a command was asked for; all else goes to stderr. */
export function print(text: string): void {
  write(process.stdout, `${text}\n`)
}

/** Writes a text as it stands. */
export function writeOut(text: string): void {
  write(process.stdout, text)
}

/** Says something beside what was asked for. */
export function say(text: string): void {
  write(process.stderr, `${text}\n`)
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (!watched.has(stream)) {
    watched.add(stream)
    stream.once('error', endWithReader)
  }
  stream.write(text)
}

/** Who reads no further, such as `head`, has seen enough. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`Nothing can be written any more: ${error.message}\n`)
  process.exit(1)
}

/** Read by people as well: nothing in it may move the cursor of their terminal. */
export function printJson(value: unknown): void {
  print(escapeControls(JSON.stringify(value, undefined, 2)))
}

/** Adds the former name `mend` of `fix`, which scripts may read. */
export function withFormerNames<T extends { fix?: string }>(item: T): T & { mend?: string } {
  return item.fix === undefined ? item : { ...item, mend: item.fix }
}

/** Prints a value as one line of JSON, for streams. */
export function printJsonLine(value: unknown): void {
  print(escapeControls(JSON.stringify(value)))
}

/** JSON itself escapes only those below the space; all of these stand in texts alone. */
function escapeControls(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Prints the answer of an action: as it is, or what it says to a person. */
export function printAnswer(options: { json?: boolean }, answer: unknown, text: string): void {
  if (options.json === true) printJson(answer)
  else print(text)
}

/**
 * Prints a list: its items, or a line for each. An empty one is told on stderr, so that a script reads nothing.
 * @param empty that there is nothing, and what to do next
 */
export function printList<T>(
  options: { json?: boolean },
  items: readonly T[],
  rowOf: (item: T) => readonly string[],
  empty: string,
): void {
  if (options.json === true) return printJson(items)
  if (items.length === 0) return say(empty)
  print(renderTable(items.map(rowOf), process.stdout.isTTY ? longestCell : undefined))
}

/** In a terminal one long name must not push all others out of sight; the last column may wrap. */
const longestCell = 48

/** Columns as wide as their widest cell, in characters as they are shown. @param longest cells but the last are cut to it */
export function renderTable(rows: readonly (readonly string[])[], longest = Infinity): string {
  const shown = rows.map((row) =>
    row.map((cell, column) =>
      column === row.length - 1 ? oneLine(cell) : shortenShown(oneLine(cell), longest),
    ),
  )
  const widths: number[] = []
  for (const row of shown) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, shownWidth(cell))
    }
  }
  return shown
    .map((row) =>
      row
        .map((cell, column) => padShown(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
