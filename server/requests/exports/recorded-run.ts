import type { RecordedRunItem } from '../../contract/control-overrides.ts'
import type { Deps } from '../../events/deps.ts'
import { readMeta, writeMeta } from '../../state/meta.ts'

/** A run that a log was made of, while the sandbox shows it and does nothing of its own. */
export interface ShownRun {
  /** `undefined` when the sandbox goes on by itself. */
  describe(): RecordedRunItem | undefined
  /** Why nothing is delivered, retried or run, as a sentence. */
  pausedBecause(): string | undefined
  /** Takes the place of the present one; without one the sandbox goes on. */
  take(run: RecordedRunItem | undefined): void
  /** @returns whether it was paused: what was held goes on now, and the clock where it ran */
  resume(): boolean
}

/** It is kept with the state, so that no start delivers what nobody has resumed. */
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
