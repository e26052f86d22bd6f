import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { Settings } from '../core/settings.ts'
import type { ObjectStores } from '../store/objects/object-store.ts'
import type { State } from '../store/state.ts'
import type { Bus } from './events/bus.ts'

/** Dependencies of every domain function, which uses nothing else from outside. */
export interface Deps {
  readonly settings: Settings
  readonly clock: Clock
  readonly ids: Ids
  readonly state: State
  /** Contents of repos that their refs point to. */
  readonly objects: ObjectStores
  readonly bus: Bus
}
