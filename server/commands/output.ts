import { oneLine } from './paint.ts'
import { padShown, shortenShown, shownWidth } from './shown-width.ts'

const watched = new Set<NodeJS.WriteStream>()

/** Prints a result to stdout; everything else goes to stderr. */
export function print(text: string): void {
  write(process.stdout, `${text}\n`)
}

/** Writes to stdout without a line break. */
export function writeOut(text: string): void {
  write(process.stdout, text)
}

/** Prints a message to stderr. */
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

/** Exits quietly when the reader, such as `head`, closes the pipe. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`Cannot write any more output: ${error.message}\n`)
  process.exit(1)
}

/** Prints JSON without control characters, since people read it in terminals. */
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

/** JSON escapes only characters below the space; these appear in strings only. */
function escapeControls(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Prints the response of an action: as JSON, or as text for a person. */
export function printAnswer(options: { json?: boolean }, answer: unknown, text: string): void {
  if (options.json === true) printJson(answer)
  else print(text)
}

/**
 * Prints a list: JSON items or a line for each. The message for an empty list goes to stderr, so scripts read nothing.
 * @param empty message for an empty list, with the next step
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

/** Maximum width of a cell in a terminal; the last column may wrap. */
const longestCell = 48

/** Renders columns, each as wide as its widest cell. @param longest maximum width of all cells but the last */
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
