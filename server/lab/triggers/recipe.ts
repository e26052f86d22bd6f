import type { TSchema } from 'typebox'
import type { Repo } from '../../state/entities/hub.ts'
import type { HubDeps } from '../../hub/hub-deps.ts'
import type { HubEvent } from '../../events/hub-event.ts'

/** What a recipe works with. */
export interface Stage {
  /** What happens with these is what was asked for. */
  readonly deps: HubDeps
  /** What happens with these only makes it possible. */
  readonly preparing: HubDeps
  /** The repo as it was at the beginning. */
  readonly repo: Repo
  /** Who does it: the owner, or an administrator of the organization. */
  readonly actorId: string
}

/** One way to cause an event by hand, through the functions that the API uses. */
export interface Recipe {
  /** As people ask for it: the scope, and the action where the scope has several. */
  readonly event: string
  readonly scope: HubEvent['scope']
  readonly action: HubEvent['action']
  /** Absent where there is but one way. */
  readonly kind?: string
  readonly title: string
  /** Schema of the payload; tells which fields it has. */
  readonly payload: TSchema
  /** Events that always come with it. */
  readonly sideEvents: readonly string[]
  run(stage: Stage): void
}
