import { inBackground, type Report, warn } from '../../core/background.ts'
import type { Clock } from '../../core/clock.ts'
import type { SandboxEvents } from './event-types.ts'

export type EventType = keyof SandboxEvents

export interface BusEntry<T extends EventType = EventType> {
  /** Number from 1 in each run, without gaps. */
  seq: number
  /** Milliseconds since 1970 on the sandbox clock. */
  time: number
  type: T
  data: SandboxEvents[T]
}

export type AnyEntry = { [T in EventType]: BusEntry<T> }[EventType]

/**
 * Past facts, emitted after the state has changed. Listeners run synchronously in the order of registration, so their
 * changes belong to the same journal unit.
 */
export interface Bus {
  emit<T extends EventType>(type: T, data: SandboxEvents[T]): void
  on<T extends EventType>(type: T, listener: (entry: BusEntry<T>) => void): () => void
  /**
   * Adds a listener that only observes, in the order of the numbers: its errors are reported and do not affect the fact.
   */
  onAny(listener: (entry: AnyEntry) => void): () => void
  readonly lastSeq: number
  /**
   * Reserves numbers for facts that are not emitted.
   * @returns the first number
   */
  reserve(count: number): number
}

export function createBus(clock: Clock, report: Report = warn): Bus {
  const listeners = new Map<EventType, Set<(entry: never) => void>>()
  const all = new Set<(entry: AnyEntry) => void>()
  let lastSeq = 0
  return {
    get lastSeq() {
      return lastSeq
    },
    reserve(count) {
      lastSeq += count
      return lastSeq - count + 1
    },
    emit(type, data) {
      const entry = { seq: ++lastSeq, time: clock.now(), type, data }
      // First, so that they have a fact before those that it causes at once.
      for (const listener of all) {
        inBackground(report, `a listener of ${type}`, () => listener(entry as AnyEntry))
      }
      for (const listener of listeners.get(type) ?? []) listener(entry as never)
    },
    on(type, listener) {
      const set = listeners.get(type) ?? new Set()
      listeners.set(type, set)
      set.add(listener)
      return () => set.delete(listener)
    },
    onAny(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
  }
}
