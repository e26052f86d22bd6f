import type { Deps } from '../events/deps.ts'
import type { DevicePolls } from './device-polls.ts'
import type { SigningKeys } from './signing-keys.ts'

/** What the protocol is handed beyond the domain's {@link Deps}. */
export interface OAuthDeps extends Deps {
  readonly keys: SigningKeys
  readonly polls: DevicePolls
}
