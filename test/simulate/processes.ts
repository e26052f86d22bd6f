import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Crash, formatDuplicates } from './duplicates.ts'

/** Sums of the runs of a process. */
export interface Tally {
  readonly runs: number
  readonly steps: number
  readonly events: number
  readonly starts: number
  readonly findings: number
  /** Time of the runs. */
  readonly seconds: number
  readonly crashes: readonly Crash[]
}

export interface Work {
  readonly seed: number
  readonly runs: number
  /** Plays for this time in place of `runs`, unless it is 0. */
  readonly minutes: number
  readonly steps: number
}

/** Seeds between the first ones of two processes that play for a time. */
const seedsApart = 1_000_000

/** Divides work among processes: each gets seeds of its own. */
export function divide({ seed, runs, minutes, steps }: Work, jobs: number): Work[] {
  const most = Math.ceil(runs / jobs)
  return Array.from({ length: jobs }, (_, job) =>
    minutes > 0
      ? { seed: seed + job * seedsApart, runs, minutes, steps }
      : { seed: seed + job * most, runs: Math.min(most, runs - job * most), minutes, steps },
  ).filter((share) => share.runs > 0)
}

/**
 * Plays each share in a process of its own, which prints its runs.
 * @param program file of the tool
 */
export function playInProcesses(program: string, shares: readonly Work[]): Promise<Tally[]> {
  return Promise.all(
    shares.map(async ({ seed, runs, minutes, steps }) => {
      const until = minutes > 0 ? ['--minutes', minutes] : ['--runs', runs]
      const child = fork(program, ['--seed', seed, '--steps', steps, ...until].map(String))
      let tally: Tally | undefined
      child.once('message', (sent) => (tally = sent as Tally))
      const [code] = (await once(child, 'close')) as [number | null]
      if (tally === undefined)
        throw new Error(`the process of the seeds from ${seed} on has ended with ${code}`)
      return tally
    }),
  )
}

export function formatTallies(tallies: readonly Tally[]): string {
  const sum = (count: (tally: Tally) => number) =>
    tallies.reduce((total, tally) => total + count(tally), 0)
  const rate = Math.round(sum(({ steps, seconds }) => (seconds > 0 ? steps / seconds : 0)))
  const crashes = tallies.flatMap((tally) => tally.crashes)
  const total = `${sum(({ runs }) => runs)} runs, ${sum(({ steps }) => steps)} steps, ${rate} steps a second, ${sum(({ events }) => events)} events, ${sum(({ starts }) => starts)} starts, ${sum(({ findings }) => findings)} findings`
  return crashes.length > 0 ? `${formatDuplicates(crashes)}\n${total}` : total
}
