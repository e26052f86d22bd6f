// Layout of a chart, drawn by `bar-chart.tsx`.

export type PartTone = 'ok' | 'bad' | 'warn' | 'accent'

/** Part of a bar. */
export interface BarPart {
  tone: PartTone
  /** Counted thing, such as `succeeded`. */
  name: string
  value: number
}

export interface Bar {
  key: string
  /** Label below the bar, if it fits. */
  label: string
  /** Description for the tooltip, the table and screen readers. */
  title: string
  parts: readonly BarPart[]
}

/** Line across the bars. */
export interface Mark {
  label: string
  /** Position in bars from the left: 1.5 is the middle of the second. */
  at: number
}

/** Least height, so that every count is visible. */
const leastHeight = 2

/**
 * Round numbers from 0 to `most` or beyond it: the last is the height of the chart.
 * @param most highest value; whole
 */
export function ticksUpTo(most: number, count = 3): number[] {
  const rough = Math.max(1, most) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const whole = Math.max(1, Math.round(step))
  return Array.from(
    { length: Math.ceil(Math.max(1, most) / whole) + 1 },
    (_, index) => index * whole,
  )
}

export function totalOf({ parts }: Pick<Bar, 'parts'>): number {
  return parts.reduce((sum, { value }) => sum + value, 0)
}

/** The parts that are there, from the bottom of a chart of this height up. */
export function stackParts(
  parts: readonly BarPart[],
  highest: number,
  height: number,
): (BarPart & { y: number; height: number })[] {
  let base = height
  return parts
    .filter(({ value }) => value > 0)
    .map((part) => {
      const own = Math.max(leastHeight, (part.value / highest) * height)
      base -= own
      return { ...part, y: Math.max(0, base), height: own }
    })
}

/** Interval of bars at which labels fit. */
export function labelStep(bars: number, widthOfBar: number, widthOfLabel: number): number {
  return Math.max(1, Math.min(bars, Math.ceil(widthOfLabel / widthOfBar)))
}

/**
 * Moves close marks to separate lines, so that their labels stay readable.
 * @param room width of a label, in bars
 */
export function layMarks(marks: readonly Mark[], room: number): (Mark & { line: number })[] {
  const ends: number[] = []
  return marks
    .toSorted((a, b) => a.at - b.at)
    .map((mark) => {
      const free = ends.findIndex((end) => end <= mark.at)
      const line = free === -1 ? ends.length : free
      ends[line] = mark.at + room
      return { ...mark, line }
    })
}

/** `3 succeeded, 1 failed`, or `none`. */
export function describeParts(
  parts: readonly BarPart[],
  format: (value: number) => string,
): string {
  const shown = parts.filter(({ value }) => value > 0)
  return shown.length === 0
    ? 'none'
    : shown.map(({ value, name }) => `${format(value)} ${name}`).join(', ')
}
