import type { Clock } from '../core/clock.ts'
import type { ObjectStores } from '../store/objects/object-store.ts'
import type { Deps } from './deps.ts'
import { createIds, type Ids, seededBytes } from '../core/ids.ts'
import type { Bus } from './events/bus.ts'
import type { HubEvent } from './events/hub-event.ts'

/** Dependencies of the hub's domain functions: the whole {@link Deps}, or a part of it. */
export interface HubDeps extends Pick<Deps, 'state' | 'settings'> {
  readonly objects: Pick<ObjectStores, 'of' | 'duplicate' | 'release' | 'noteUnreachable' | 'lfs'>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: { of(...names: readonly string[]): Pick<Ids, 'objectId'> }
  readonly bus: Pick<Bus, 'emit'>
  /** Default: a call of the API. */
  readonly cause?: HubEvent['cause']
}

/**
 * Returns dependencies for loading fixtures as if they had happened before: without events, at the time `at`, and with ids
 * derived from `name`, so that they are the same in every run.
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
