import type { LiveData } from '../../contract/live.ts'
import type { ClockReading } from '../../core/clock.ts'
import type { HubEvent } from './hub-event.ts'

/** Members of facts that hold a time: milliseconds internally, ISO 8601 outside. */
export const timeMembers = ['at', 'now', 'expiresAt', 'nextRetryAt'] as const

/** A fact on the bus. */
type Inside<Fact> = {
  [K in keyof Fact]: K extends (typeof timeMembers)[number] ? number : Fact[K]
}

/** Optional members can also be `undefined`. */
type Loose<Fact> = {
  [K in keyof Fact]: Fact[K] | (Partial<Pick<Fact, K>> extends Pick<Fact, K> ? undefined : never)
}

/** The sign-in and the audit are looked up when the fact is read, because they may only be known later. */
export type CompletedRequest = Loose<Omit<LiveData['request.completed'], 'flowId' | 'audit'>>

/** Facts that hold more internally than is shown, or in another form. */
interface OwnFacts {
  'clock.changed': ClockReading
  'request.completed': CompletedRequest
  /** A change in a repo or discussion, which webhooks deliver. */
  'hub.event': HubEvent
}

type ToldFacts = { [T in Exclude<keyof LiveData, keyof OwnFacts>]: Inside<LiveData[T]> }

/** Facts of a sandbox. Data is JSON without whole tokens or secrets. */
export interface SandboxEvents extends ToldFacts, OwnFacts {}
