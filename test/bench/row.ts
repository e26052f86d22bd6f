/** Limit of a ratio. Results without a goal are for information. */
export type Goal = { atLeast: number } | { atMost: number }

/** Measurement of the sandbox and of a baseline in the same run. */
export interface Result {
  what: string
  /** With unit. */
  ours: string
  /** With unit. */
  baseline: string
  /** Ours divided by the baseline's, median of the rounds. */
  ratio: number
  /** Spread of the ratios of the rounds, as a share; absent with one round. */
  noise?: number
  /** Ratio by CPU time of all threads of the server, which depends less on other programs of the machine. */
  cpuRatio?: number
  /** CPU time of all threads of the server for one item, in microseconds. */
  cpu?: { ours: number; baseline: number }
  /** Spread of the baseline's rounds, as a share: caused by other programs of the machine. */
  baselineNoise?: number
  goal?: Goal
}

export interface Row {
  /** Selects the row on the command line. */
  name: string
  /** Runs in a process of its own, on the Node that is measured. */
  measure(): Promise<Result[]>
}

/** Results of a row on one Node. */
export interface Measured {
  row: string
  results: Result[]
  /** Reason why there are no results. */
  failure?: string
  /** Reasons to doubt the figures, although the row was measured twice. */
  disturbed?: string[]
}

export function meets({ ratio, goal }: Pick<Result, 'ratio' | 'goal'>): boolean | undefined {
  if (goal === undefined) return undefined
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost
}
