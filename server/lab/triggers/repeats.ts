import type { TriggerRequest } from '../../contract/control-events.ts'
import type { Deps } from '../../events/deps.ts'

/** A trigger that is repeated at a rate, until it is through or stopped. */
export interface Repeat {
  readonly id: string
  readonly request: TriggerRequest
  readonly times: number
  readonly perSecond: number
  /** How often it was caused so far. */
  readonly done: number
  /** Milliseconds since 1970, real time. */
  readonly startedAt: number
}

/** The triggers that are under way, and the last of all, for who wants it again. They end with the process: nothing repeats what was asked of an earlier one. */
export interface Repeats {
  /** @param done how often it was caused already */
  begin(repeat: Pick<Repeat, 'request' | 'times' | 'perSecond' | 'done'>): UnderWay
  list(): Repeat[]
  /** Keeps in mind what was caused. */
  note(request: TriggerRequest): void
  /** What was caused last, by whomever. */
  readonly last: TriggerRequest | undefined
  /** @returns whether there was such a one */
  stop(id: string): boolean
}

export interface UnderWay {
  readonly id: string
  /** Aborted when it is stopped. */
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
