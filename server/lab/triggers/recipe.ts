import type { TSchema } from 'typebox'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../../hub/hub-deps.ts'
import type { HubEvent } from '../../hub/events/hub-event.ts'

/** Input of a recipe. */
export interface Stage {
  /** Dependencies for the requested change. */
  readonly deps: HubDeps
  /** Dependencies for changes that prepare it. */
  readonly preparing: HubDeps
  /** The repo before any change. */
  readonly repo: Repo
  /** Acting user: the owner, or an administrator of the organization. */
  readonly actorId: string
}

/** A way to trigger an event, by the same functions as the API. */
export interface Recipe {
  /** Scope, and the action if the scope has several. */
  readonly event: string
  readonly scope: HubEvent['scope']
  readonly action: HubEvent['action']
  /** Absent when there is only one way. */
  readonly kind?: string
  readonly title: string
  /** Schema of the payload. */
  readonly payload: TSchema
  /** Repos that it suits; absent = all, buckets too. */
  readonly suits?: 'git' | 'bucket'
  /** Events that always accompany it. */
  readonly sideEvents: readonly string[]
  run(stage: Stage): void
}
