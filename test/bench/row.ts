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
  /** Spread of the rounds' ratios, as a share. */
  noise: number
  /** The ratio by CPU time of the server, all its threads: what else runs on the machine counts less there. */
  cpuRatio?: number
  goal?: Goal
  /** Further figures, for `--json` and the notes below the table. */
  details?: Record<string, number | string>
}

/** Something the bench can measure. */
export interface Row {
  /** Picks it on the command line. */
  name: string
  measure(): Promise<Result[]>
}

export function meets({ ratio, goal }: Result): boolean | undefined {
  if (goal === undefined) return undefined
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost
}
