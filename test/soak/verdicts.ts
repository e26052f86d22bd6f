import { median } from '../bench/statistics.ts'
import type { Inside } from './watched-sandbox.ts'

/** A value at a time. */
export interface Point {
  atMs: number
  value: number
}

export interface Verdict {
  what: string
  isGood: boolean
  /** The figures it rests on. */
  why: string
}

/** Figures after all clients have left. */
export interface Quiet extends Inside {
  liveHeapBytes: number
}

const mib = 2 ** 20
/** Code that is compiled, and modules that are loaded, later than in the warm-up. */
const heapFactor = 1.15
const heapSpareBytes = 4 * mib
/** A rise within this many times the noise is none. */
const noiseFactor = 3
/** A line has a slope from two, and noise from three. */
const fewestPoints = 3
/** More of a kind than at the start than a connection that is just being closed explains. */
const spareResources = 2

/**
 * Whether a curve is flat: by the median of the slopes between all pairs of its points (Theil and Sen), which no
 * single peak moves, against how far the points lie beside that line.
 * @param allowedShare of the median, which it may rise in this time even without noise
 */
export function judgeCurve(
  what: string,
  points: readonly Point[],
  allowedShare: number,
  show: (value: number) => string,
): Verdict {
  const claim = `${what} is flat in the second half`
  if (points.length < fewestPoints) {
    return { what: claim, isGood: false, why: `${points.length} points are too few to tell` }
  }
  const slope = median(
    points.flatMap((a, index) =>
      points.slice(index + 1).map((b) => (b.value - a.value) / (b.atMs - a.atMs)),
    ),
  )
  const duration = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  const rise = slope * duration
  const residues = points.map(({ atMs, value }) => value - slope * atMs)
  const middle = median(residues)
  const noise = median(residues.map((residue) => Math.abs(residue - middle)))
  const level = median(points.map(({ value }) => value))
  const allowed = Math.max(allowedShare * level, noiseFactor * noise)
  return {
    what: claim,
    isGood: rise <= allowed,
    why: `${show(level)}, rises by ${show(rise)}, at most ${show(allowed)} (noise ${show(noise)})`,
  }
}

/** Whether everything that came has gone again. */
export function judgeQuiet(before: Quiet, after: Quiet): Verdict[] {
  const kinds = new Set([...Object.keys(before.resources), ...Object.keys(after.resources)])
  const more = [...kinds].flatMap((kind) => {
    const [first, last] = [before.resources[kind] ?? 0, after.resources[kind] ?? 0]
    return last > first + spareResources ? [`${kind} ${first} → ${last}`] : []
  })
  const allowed = before.liveHeapBytes * heapFactor + heapSpareBytes
  return [
    {
      what: 'timers and handles are back where they were',
      isGood: more.length === 0,
      why:
        more.join(', ') ||
        Object.entries(after.resources)
          .map((pair) => pair.join(' '))
          .join(', '),
    },
    {
      what: 'open files and sockets are back where they were',
      isGood: after.openFiles <= before.openFiles + spareResources,
      why: `${before.openFiles} → ${after.openFiles}`,
    },
    {
      what: 'the live heap is back where it was',
      isGood: after.liveHeapBytes <= allowed,
      why: `${showBytes(before.liveHeapBytes)} → ${showBytes(after.liveHeapBytes)}, at most ${showBytes(allowed)}`,
    },
  ]
}

export function showBytes(bytes: number): string {
  return `${(bytes / mib).toFixed(1)} MiB`
}
