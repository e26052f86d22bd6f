/** What the ratio has to reach; rows without a goal are there to be read. */
export type Goal = { atLeast: number } | { atMost: number }

/** One measurement: ours against a bare program's, of the same run. */
export interface Result {
  what: string
  /** With their units. */
  ours: string
  baseline: string
  /** Ours divided by the baseline's, median of the rounds. */
  ratio: number
  /** Spread of the rounds' ratios, as a share; none where there was one round. */
  noise?: number
  /** The ratio by CPU time of the server, all its threads: what else runs on the machine counts less there. */
  cpuRatio?: number
  /** CPU time of the server for one item, all its threads, in microseconds. */
  cpu?: { ours: number; baseline: number }
  /** Spread of the baseline's own rounds, as a share: only what else runs on the machine can cause it. */
  baselineNoise?: number
  goal?: Goal
  /** Further figures, for `--json`. */
  details?: Record<string, number | string>
  /** What a reader has to know, below the table. */
  note?: string
}

/** Something the bench can measure. */
export interface Row {
  /** Picks it on the command line. */
  name: string
  /** In a process of its own, on the Node that is measured. */
  measure(): Promise<Result[]>
}

/** What came of a row on one Node. */
export interface Measured {
  row: string
  results: Result[]
  /** Why there are none, if so. */
  failure?: string
  /** What makes the figures doubtful, though the row was measured twice. */
  disturbed?: string[]
}

export function meets({ ratio, goal }: Pick<Result, 'ratio' | 'goal'>): boolean | undefined {
  if (goal === undefined) return undefined
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost
}
