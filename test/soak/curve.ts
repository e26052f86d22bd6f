import { median } from '../bench/statistics.ts'
import type { Point } from './verdicts.ts'

const blocks = '▁▂▃▄▅▆▇█'

/** The medians of equal stretches of time; those without a point are left out. */
export function inStretches(points: readonly Point[], count: number): number[] {
  const first = points[0]?.atMs ?? 0
  const length = ((points.at(-1)?.atMs ?? 0) - first) / count || 1
  const stretches = Array.from({ length: count }, (): number[] => [])
  for (const { atMs, value } of points) {
    stretches[Math.min(count - 1, Math.floor((atMs - first) / length))]?.push(value)
  }
  return stretches.flatMap((values) => (values.length === 0 ? [] : [median(values)]))
}

/** A line as tall as the values, from nothing up: what looks flat is flat. */
export function sparkline(values: readonly number[]): string {
  const highest = Math.max(...values, Number.MIN_VALUE)
  return values
    .map(
      (value) => blocks[Math.min(blocks.length - 1, Math.floor((value / highest) * blocks.length))],
    )
    .join('')
}
