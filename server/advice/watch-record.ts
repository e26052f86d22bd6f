import type { RealTime } from '../core/real-time.ts'

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
  /** Starts an examination; each step takes a few milliseconds. */
  examine: () => Iterator<unknown>
}

/** Time without a change after which the record is examined. */
const quietMs = 1000
/** Longest time that the examination keeps the event loop from other work. */
const sliceMs = 5
/** Pause after an examination, in multiples of its duration: under load it takes 0.5 % of the time. */
const rest = 200

export function watchRecord({ realTime, now, half, examine }: Options): RecordWatch {
  let changes = 0
  let changedAt = 0
  let restsUntil = 0
  let isExamining = false
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
    isExamining = true
    changes = 0
    const work = examine()
    let tookMs = 0
    const step = () => {
      const from = now()
      const isDone = workFor(work, () => now() - from < sliceMs)
      tookMs += now() - from
      if (!isDone) return realTime.soon(step)
      isExamining = false
      restsUntil = now() + rest * tookMs
      if (changes > 0) wait(Math.max(1, restsUntil - now()))
    }
    realTime.soon(step)
  }

  return {
    note(count = 1) {
      changes += count
      changedAt = now()
      if (isExamining) return
      if (changes >= half && changedAt >= restsUntil) start()
      else if (cancelWait === undefined) wait(quietMs)
    },
  }
}

/** @returns whether the work has ended */
function workFor(work: Iterator<unknown>, mayGoOn: () => boolean): boolean {
  try {
    let isDone = false
    while (!isDone && mayGoOn()) isDone = work.next().done === true
    return isDone
  } catch {
    // A reader of the checks meets the same error, and is the one to report it to; nobody waits for it here.
    return true
  }
}
