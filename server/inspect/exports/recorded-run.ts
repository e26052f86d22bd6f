import type { RecordedRunItem } from '../../contract/control-overrides.ts'
import type { Deps } from '../../hub/deps.ts'
import { readMeta, writeMeta } from '../../store/meta.ts'

/** Recorded run that the sandbox shows, while nothing is delivered, retried or run. */
export interface ShownRun {
  /** `undefined` unless a recorded run is shown. */
  describe(): RecordedRunItem | undefined
  /** Reason why nothing is delivered, retried or run, as a sentence. */
  pausedBecause(): string | undefined
  /** Shows another recorded run, or none. */
  take(run: RecordedRunItem | undefined): void
}

/** Creates the recorded run from the stored state: a restart shows it again. */
export function createRecordedRun({ state }: Pick<Deps, 'state'>): ShownRun {
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
  }
}

function pauseOf({ madeAt }: RecordedRunItem): string {
  return `This is the recorded run of ${madeAt.slice(0, 10)}, for viewing only: nothing is sent or run.`
}
