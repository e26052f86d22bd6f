import type { JobStage } from '../../../server/contract/words/job-words.ts'
import type { Standing } from './facts.ts'

export interface KnownJob {
  /** Last stage that a client has read. */
  readonly stage: JobStage
  readonly changedAt: number
}

/** Job that runs at each full hour, unless it is suspended. */
export interface KnownSchedule {
  readonly id: string
  standing: Standing
  /** Unknown while it is changed. */
  isSuspended: boolean | undefined
  /** Whether a change was asked for that has no response yet. */
  isChanging: boolean
  /** Changes that were asked for, those of its labels left out. */
  changes: number
  /** Its jobs that a user has started. */
  readonly byHand: Set<string>
  /** Starts by hand without a response. */
  doubts: number
  changedAt: number
  /** What the last check has seen of it. */
  seen?: SeenSchedule
}

export interface SeenSchedule {
  readonly nextRunAt: number | undefined
  readonly changes: number
  readonly backMoves: number
  /** Number of the process that it was lost with, if it may not be on the disk. */
  readonly life: number | undefined
  /** Whether its jobs are as the client knows that they must stay. */
  readonly isQuiet: boolean
  readonly jobs: ReadonlySet<string>
  /** Those from before the clock was last set back, which makes due times possible again. */
  readonly old: ReadonlySet<string>
}

/** What the clients of a sandbox know of its jobs. */
export class JobFacts {
  jobs = new Map<string, KnownJob>()
  schedules: KnownSchedule[] = []
  /** Stages in the present life of the process, as the last check has seen them. */
  seen = { starts: 0, stages: new Map<string, JobStage>() }
  /** Moves of the clock that may have set it back. */
  backMoves = 0

  forget(): void {
    this.jobs.clear()
    this.schedules = []
    this.seen.stages.clear()
  }

  /** After a power cut: what was confirmed since a time may be lost. */
  doubt(since: number): void {
    for (const [id, { changedAt }] of this.jobs) if (changedAt > since) this.jobs.delete(id)
    for (const schedule of this.schedules) {
      if (schedule.changedAt > since) schedule.standing = 'unsure'
      delete schedule.seen
    }
  }
}
