import type { RecordedRunItem } from '../../contract/control-overrides.ts'
import type { Deps } from '../../events/deps.ts'
import { readMeta, writeMeta } from '../../state/meta.ts'

/** Recorded run that the sandbox shows while it is paused. */
export interface ShownRun {
  /** `undefined` unless a recorded run is shown. */
  describe(): RecordedRunItem | undefined
  /** Reason why nothing is delivered, retried or run, as a sentence. */
  pausedBecause(): string | undefined
  /** Shows another recorded run, or none. */
  take(run: RecordedRunItem | undefined): void
  /** Resumes held work, and the clock if it ran. @returns whether the sandbox was paused */
  resume(): boolean
}

/** Creates the recorded run from the stored state: a restart stays paused. */
export function createRecordedRun({ state, clock }: Pick<Deps, 'state' | 'clock'>): ShownRun {
  const describe = () => readMeta(state, 'recordedRun')
  return {
    describe,
    pausedBecause() {
      const run = describe()
      return run === undefined ? undefined : pauseOf(run)
    },
    take(run) {
      if (run !== undefined) writeMeta(state, 'recordedRun', run)
      else state.meta.delete('recordedRun')
    },
    resume() {
      const run = describe()
      if (run === undefined) return false
      state.meta.delete('recordedRun')
      if (run.clockRan) clock.resume()
      return true
    },
  }
}

function pauseOf({ madeAt }: RecordedRunItem): string {
  return `This is the recorded run of ${madeAt.slice(0, 10)}: nothing is sent or run until it is resumed.`
}
