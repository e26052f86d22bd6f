import { isoTime } from '../../core/time.ts'
import type { LiveData, LiveEntry } from '../../contract/live.ts'
import type { AnyEntry } from '../../hub/events/bus.ts'
import { type SandboxEvents, timeMembers } from '../../hub/events/event-types.ts'

/** Data as JSON, without undefined members. */
type Told<T> = {
  [K in keyof T]: K extends (typeof timeMembers)[number]
    ? Exclude<T[K], number | undefined> | string
    : Exclude<T[K], undefined>
}

/** Does not compile if a fact differs from the contract. */
type Entry<Facts extends LiveData = { [T in keyof SandboxEvents]: Told<SandboxEvents[T]> }> = {
  [T in keyof Facts & LiveEntry['type']]: { seq: number; time: string; type: T; data: LiveData[T] }
}[keyof Facts & LiveEntry['type']]

/**
 * Converts a fact for the live feed.
 * @param flowIdOf returns the sign-in of a request id
 */
export function describeFact(
  { seq, time, type, data }: AnyEntry,
  flowIdOf: (requestId: string) => string | undefined,
): LiveEntry {
  const shown: Record<string, unknown> = { ...data }
  for (const field of timeMembers) {
    const value = shown[field]
    if (typeof value === 'number') shown[field] = isoTime(value)
  }
  if (type === 'request.completed') shown['flowId'] = flowIdOf(data.id)
  return { seq, time: isoTime(time), type, data: shown } as unknown as Entry
}
