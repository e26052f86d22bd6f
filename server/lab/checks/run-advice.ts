import { mergeAdvice } from '../report/merge.ts'
import type { Advice } from '../../contract/control-advice.ts'

/** Number of things that each rule had to judge. */
export type Judged = ReadonlyMap<string, number>

/** Result of the checks of one segment of a run: what lies between two resets, or in a fork. */
export interface SegmentAdvice {
  readonly advice: Advice
  /** By client id or webhook id. */
  readonly judgedOf: ReadonlyMap<string, Judged>
}

/**
 * Result of the checks of a whole run: the sandbox and its forks, over all resets. Each sandbox of the run has one of
 * these, and they share what has ended.
 */
export interface RunAdvice {
  /** Sets how the present segment of this sandbox is examined. */
  readBy(examine: () => SegmentAdvice): void
  /** Keeps the findings of the present segment, whose record is about to be deleted. */
  endSegment(): void
  /** Ends the last segment of this sandbox. */
  close(): void
  /** Merges what has ended with the present segments of all open sandboxes of the run. */
  read(): SegmentAdvice
  /** Creates the part of a fork. */
  ofFork(): RunAdvice
}

/** Apps and webhooks whose numbers are kept; later ones count as not judged. */
const mostSubjects = 200
/** Findings of a run that are kept, the worst first. */
const mostFindings = 500

/** State that the sandboxes of a run share. */
interface Shared {
  readonly open: Set<() => SegmentAdvice>
  ended: SegmentAdvice | undefined
}

export function createRunAdvice(): RunAdvice {
  return partOf({ open: new Set(), ended: undefined })
}

function partOf(shared: Shared): RunAdvice {
  let examine: (() => SegmentAdvice) | undefined
  function endSegment(): void {
    if (examine !== undefined) shared.ended = merge(shared.ended, examine())
  }
  return {
    readBy(how) {
      examine = how
      shared.open.add(how)
    },
    endSegment,
    close() {
      endSegment()
      if (examine !== undefined) shared.open.delete(examine)
      examine = undefined
    },
    read() {
      let all = shared.ended
      for (const one of shared.open) all = merge(all, one())
      return all ?? nothing
    },
    ofFork: () => partOf(shared),
  }
}

const nothing: SegmentAdvice = {
  advice: { items: [], rules: [], ignores: [], cursor: '0', omitted: 0, paused: 0 },
  judgedOf: new Map(),
}

function merge(one: SegmentAdvice | undefined, next: SegmentAdvice): SegmentAdvice {
  if (one === undefined) return next
  const { items, ...advice } = mergeAdvice(one.advice, next.advice)
  const judgedOf = new Map(one.judgedOf)
  for (const [subject, judged] of next.judgedOf) {
    if (judgedOf.size < mostSubjects || judgedOf.has(subject)) {
      judgedOf.set(subject, sum(judgedOf.get(subject), judged))
    }
  }
  const omitted = advice.omitted + Math.max(0, items.length - mostFindings)
  return { advice: { ...advice, items: items.slice(0, mostFindings), omitted }, judgedOf }
}

function sum(one: Judged | undefined, next: Judged): Judged {
  if (one === undefined) return next
  return new Map(Array.from(next, ([id, count]) => [id, count + (one.get(id) ?? 0)]))
}
