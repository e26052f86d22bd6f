import { inBackground, type Report, warn } from '../core/background.ts'
import type { Clock } from '../core/clock.ts'
import type { SandboxEvents } from './events.ts'

export type EventType = keyof SandboxEvents

export interface BusEntry<T extends EventType = EventType> {
  /** Counts from 1 in each run, without holes. */
  seq: number
  /** Milliseconds since 1970 on the sandbox clock. */
  time: number
  type: T
  data: SandboxEvents[T]
}

export type AnyEntry = { [T in EventType]: BusEntry<T> }[EventType]

/**
 * Past facts, told after the state has them. Listeners run at once and in the order they joined, so
 * what a listener changes belongs to the same journal unit as the change it heard of.
 */
export interface Bus {
  emit<T extends EventType>(type: T, data: SandboxEvents[T]): void
  on<T extends EventType>(type: T, listener: (entry: BusEntry<T>) => void): () => void
  /** For those who only watch: that one of them fails is told, and is no failure of the fact. */
  onAny(listener: (entry: AnyEntry) => void): () => void
  readonly lastSeq: number
  /** Takes numbers for facts that nobody is told of now. @returns the first of them */
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
      for (const listener of listeners.get(type) ?? []) listener(entry as never)
      for (const listener of all) {
        inBackground(report, `telling of ${type}`, () => listener(entry as AnyEntry))
      }
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
