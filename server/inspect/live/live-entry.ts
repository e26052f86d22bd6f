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

/** Place of a request: what it belongs to. */
export type RequestPlace = Pick<LiveData['request.completed'], 'flowId' | 'audit'>

/**
 * Converts a fact for the live feed.
 * @param aboutRequest returns the place of a request id
 */
export function describeFact(
  { seq, time, type, data }: AnyEntry,
  aboutRequest: (requestId: string) => RequestPlace,
): LiveEntry {
  const shown: Record<string, unknown> = { ...data }
  for (const field of timeMembers) {
    const value = shown[field]
    if (typeof value === 'number') shown[field] = isoTime(value)
  }
  if (type === 'request.completed') {
    const { flowId, audit } = aboutRequest(data.id)
    shown['flowId'] = flowId
    if (audit === true) shown['audit'] = audit
  }
  return { seq, time: isoTime(time), type, data: shown } as unknown as Entry
}
