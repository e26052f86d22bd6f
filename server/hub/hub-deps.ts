import type { Clock } from '../core/clock.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import type { Deps } from '../events/deps.ts'
import { createIds, type Ids, seededBytes } from '../core/ids.ts'
import type { Bus } from '../events/bus.ts'
import type { HubEvent } from '../events/hub-event.ts'

/** What the hub's domain functions are handed: the whole {@link Deps}, or a narrower make of it. */
export interface HubDeps extends Pick<Deps, 'state' | 'settings'> {
  readonly objects: Pick<ObjectStores, 'of' | 'duplicate' | 'release' | 'lfs'>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: { of(...names: readonly string[]): Pick<Ids, 'objectId'> }
  readonly bus: Pick<Bus, 'emit'>
  /** Set off by a call of the API, unless said otherwise. */
  readonly cause?: HubEvent['cause']
}

/**
 * The same hub for loading what is supposed to have happened already: nobody hears of it, it
 * happens at `at`, and its ids follow from `name`, so they are the same in every run.
 */
export function loadingDeps(
  deps: Pick<Deps, 'state' | 'objects' | 'settings'>,
  { at, name }: { at: number; name: string },
): HubDeps {
  return {
    state: deps.state,
    objects: deps.objects,
    settings: deps.settings,
    clock: { now: () => at },
    ids: createIds(seededBytes(name)),
    bus: { emit: () => {} },
  }
}
