import { oneLine } from '../core/terminal-text.ts'
import { padShown, shortenShown, shownWidth } from '../core/shown-width.ts'
import { wrap } from '../core/wrap.ts'

const gap = '  '
/** Minimum width of a column that is narrowed. */
const leastWidth = 12
/** Minimum width of the last column beside the others; below that, it has its own lines. */
const leastLast = 24
const ownIndent = 4

/** A time is useless without its end. */
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * Renders columns, each as wide as its widest cell. If a row does not fit, the columns between the first, which has the
 * id, and the last are narrowed, except times, and the last one is wrapped. Columns that still do not fit go to lines
 * of their own, with the last one.
 * @param width columns of the terminal
 */
export function renderTable(rows: readonly (readonly string[])[], width = Infinity): string {
  const shown = rows.map((row) => row.map(oneLine))
  const widths: number[] = []
  for (const row of shown) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, shownWidth(cell))
    }
  }
  const last = widths.length - 1
  const wanted = Math.min(widths[last] ?? 0, leastLast)
  const fixed = widths.map((_, column) => {
    const cells = shown.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    return column === 0 || (cells.length > 0 && cells.every((cell) => time.test(cell)))
  })
  const isFixed = (column: number) => fixed[column] === true
  const beside = narrowed(widths.slice(0, last), width - wanted, isFixed)
  const isBeside = sumOf(beside) + wanted <= width
  const before = isBeside ? beside : columnsThatFit(widths.slice(0, last), width, isFixed)
  const start = sumOf(before)
  return shown.flatMap((row) => rowLines(row, before, { start, width, isBeside })).join('\n')
}

function rowLines(
  row: readonly string[],
  before: readonly number[],
  { start, width, isBeside }: { start: number; width: number; isBeside: boolean },
): string[] {
  const head = before
    .map((places, column) => padShown(shortenShown(row[column] ?? '', places), places) + gap)
    .join('')
  const tail = row
    .slice(before.length)
    .filter((cell) => cell !== '')
    .join(' · ')
  if (width === Infinity) return [`${head}${tail}`.trimEnd()]
  const indent = isBeside ? start : ownIndent
  const [first = '', ...more] = tail === '' ? [] : wrap(tail, Math.max(width - indent, 1))
  const further = (isBeside ? more : [first, ...more]).filter((line) => line !== '')
  return [
    (isBeside ? head + first : head).trimEnd(),
    ...further.map((line) => ' '.repeat(indent) + line),
  ]
}

/** Returns the width of columns with the gap behind each. */
function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, places) => sum + places + gap.length, 0)
}

/** Narrows the columns, and leaves out the last ones that do not fit even so. */
function columnsThatFit(
  widths: readonly number[],
  width: number,
  isFixed: (column: number) => boolean,
): number[] {
  const room = width + gap.length
  for (let count = widths.length; count > 1; count--) {
    const fitting = narrowed(widths.slice(0, count), room, isFixed)
    if (sumOf(fitting) <= room) return fitting
  }
  return widths.slice(0, 1)
}

/** Narrows the widest column first, down to {@link leastWidth}, but no fixed one. */
function narrowed(
  widths: readonly number[],
  room: number,
  isFixed: (column: number) => boolean,
): number[] {
  const result = [...widths]
  let over = sumOf(widths) - room
  while (over > 0) {
    const widest = Math.max(0, ...result.filter((_, column) => !isFixed(column)))
    if (widest <= leastWidth) break
    const column = result.findIndex((places, index) => places === widest && !isFixed(index))
    result[column] = widest - 1
    over--
  }
  return result
}
