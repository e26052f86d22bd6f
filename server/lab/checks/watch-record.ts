import type { RealTime } from '../../core/real-time.ts'

/** Examines the record while nobody reads the checks, so that the log drops nothing unseen. */
export interface RecordWatch {
  /** Notes requests and attempts. Default: one. */
  note(count?: number): void
}

interface Options {
  realTime: RealTime
  /** Real milliseconds. */
  now: () => number
  /** Number of changes after which half of the log is another one. */
  half: number
  /** Takes some milliseconds. */
  examine: () => void
}

/** Time without a change after which the record is examined. */
const quietMs = 1000
/** Pause after an examination, in multiples of its duration: under load it takes 0.5 % of the time. */
const rest = 200

export function watchRecord({ realTime, now, half, examine }: Options): RecordWatch {
  let changes = 0
  let changedAt = 0
  let restsUntil = 0
  let isDue = false
  let cancelWait: (() => void) | undefined

  function wait(ms: number): void {
    cancelWait = realTime.after(ms, () => {
      cancelWait = undefined
      const quiet = now() - changedAt
      if (now() < restsUntil) wait(restsUntil - now())
      else if (changes >= half || quiet >= quietMs) start()
      else wait(quietMs - quiet)
    })
  }

  function start(): void {
    cancelWait?.()
    cancelWait = undefined
    changes = 0
    isDue = true
    // Not within the request that is noted.
    realTime.soon(() => {
      isDue = false
      const from = now()
      try {
        examine()
      } catch {
        // A reader of the checks meets the same error, and is the one to report it to; nobody waits for it here.
      }
      restsUntil = now() + rest * (now() - from)
      if (changes > 0) wait(Math.max(1, restsUntil - now()))
    })
  }

  return {
    note(count = 1) {
      changes += count
      changedAt = now()
      if (isDue) return
      if (changes >= half && changedAt >= restsUntil) start()
      else if (cancelWait === undefined) wait(quietMs)
    },
  }
}
