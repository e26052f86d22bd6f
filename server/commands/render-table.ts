import { oneLine } from './paint.ts'
import { padShown, shortenShown, shownWidth } from './shown-width.ts'
import { wrap } from './wrap.ts'

const gap = '  '
/** Minimum width of a column that is narrowed. */
const leastWidth = 12
/** Minimum width of the last column beside the others; below that, it has its own lines. */
const leastLast = 24
const ownIndent = 4

/**
 * Renders columns, each as wide as its widest cell. If a row does not fit, the columns between the first, which has the
 * id, and the last are narrowed, and the last one is wrapped.
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
  const beside = narrowed(widths.slice(0, last), width - wanted)
  const isBeside = sumOf(beside) + wanted <= width
  const before = isBeside ? beside : narrowed(widths.slice(0, last), width + gap.length)
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
  const tail = row[before.length] ?? ''
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

/** Narrows the widest column first, down to {@link leastWidth}. The first keeps its width. */
function narrowed(widths: readonly number[], room: number): number[] {
  const result = [...widths]
  let over = sumOf(widths) - room
  while (over > 0) {
    const widest = Math.max(0, ...result.slice(1))
    if (widest <= leastWidth) break
    result[result.indexOf(widest, 1)] = widest - 1
    over--
  }
  return result
}
