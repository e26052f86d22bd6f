import type { TriggerRequest } from '../../contract/control-events.ts'
import type { Deps } from '../../events/deps.ts'

/** Trigger that repeats at a rate until it is complete or stopped. */
export interface Repeat {
  readonly id: string
  readonly request: TriggerRequest
  readonly times: number
  readonly perSecond: number
  /** Number of triggers so far. */
  readonly done: number
  /** Milliseconds since 1970, real time. */
  readonly startedAt: number
}

/** Running triggers, and the last one for another use. They end with the process. */
export interface Repeats {
  /** @param done number of triggers so far */
  begin(repeat: Pick<Repeat, 'request' | 'times' | 'perSecond' | 'done'>): UnderWay
  list(): Repeat[]
  /** Remembers a trigger as the last one. */
  note(request: TriggerRequest): void
  /** Last trigger of any caller. */
  readonly last: TriggerRequest | undefined
  /** @returns whether it existed */
  stop(id: string): boolean
}

export interface UnderWay {
  readonly id: string
  /** Aborted when the trigger is stopped. */
  readonly signal: AbortSignal
  count(): void
  end(): void
}

export function createRepeats({ ids, clock }: Pick<Deps, 'ids' | 'clock'>): Repeats {
  const underWay = new Map<string, { repeat: Repeat; stopper: AbortController }>()
  let last: TriggerRequest | undefined
  return {
    get last() {
      return last
    },
    note(request) {
      last = request
    },
    begin(given) {
      const stopper = new AbortController()
      const id = ids.of('repeat').objectId()
      const entry = { repeat: { ...given, id, startedAt: clock.realNow() }, stopper }
      underWay.set(id, entry)
      return {
        id,
        signal: stopper.signal,
        count() {
          entry.repeat = { ...entry.repeat, done: entry.repeat.done + 1 }
        },
        end: () => void underWay.delete(id),
      }
    },
    list: () => Array.from(underWay.values(), ({ repeat }) => repeat),
    stop(id) {
      underWay.get(id)?.stopper.abort()
      return underWay.delete(id)
    },
  }
}
