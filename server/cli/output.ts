import { escapeControls } from '../core/terminal-text.ts'
import { renderTable } from './render-table.ts'

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

/** Prints a value as one line of JSON, for streams. */
export function printJsonLine(value: unknown): void {
  print(escapeControls(JSON.stringify(value)))
}

/** Prints the response of an action: as JSON, or as text for a person. */
export function printResponse(options: { json?: boolean }, answer: unknown, text: string): void {
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
  printTable(items.map(rowOf))
}

/** Prints rows in columns that fit the terminal. */
export function printTable(rows: readonly (readonly string[])[]): void {
  print(renderTable(rows, terminalWidth()))
}

/** Returns the columns of the terminal; Infinity for a pipe, a file, or a terminal that reports none. */
export function terminalWidth(): number {
  return (process.stdout.isTTY && process.stdout.columns) || Infinity
}
