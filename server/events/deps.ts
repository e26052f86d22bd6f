import type { Bus } from './bus.ts'
import type { DevicePolls } from '../oauth/device-polls.ts'
import type { SigningKeys } from '../oauth/signing-keys.ts'
import type { State } from '../state/state.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { Settings } from '../core/settings.ts'

/** What every domain and protocol function is handed: nothing reads the world behind its back. */
export interface Deps {
  readonly settings: Settings
  readonly clock: Clock
  readonly ids: Ids
  readonly state: State
  readonly bus: Bus
  readonly keys: SigningKeys
  readonly polls: DevicePolls
}
