import type { LiveData } from '../contract/live.ts'
import type { ClockReading } from '../core/clock.ts'
import type { HubEvent } from './hub-event.ts'

/** Members of facts that hold a time: milliseconds inside, ISO 8601 outside. */
export const timeMembers = ['at', 'now', 'expiresAt', 'nextRetryAt'] as const

/** A fact as the bus has it. */
type Inside<Fact> = {
  [K in keyof Fact]: K extends (typeof timeMembers)[number] ? number : Fact[K]
}

/** What may be left out may be `undefined`, too. */
type Loose<Fact> = {
  [K in keyof Fact]: Fact[K] | (Partial<Pick<Fact, K>> extends Pick<Fact, K> ? undefined : never)
}

/** Its sign-in is found when somebody is told: it may be known later only. */
export type CompletedRequest = Loose<Omit<LiveData['request.completed'], 'flowId'>>

/** Facts that hold more inside than is told, or in another form. */
interface OwnFacts {
  'clock.changed': ClockReading
  'request.completed': CompletedRequest
  /** Something changed in a repo or discussion: what webhooks are about. */
  'hub.event': HubEvent
}

type ToldFacts = { [T in Exclude<keyof LiveData, keyof OwnFacts>]: Inside<LiveData[T]> }

/** Every past fact of a sandbox. Data is JSON and carries no whole token and no secret. */
export interface SandboxEvents extends ToldFacts, OwnFacts {}
