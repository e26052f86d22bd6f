import type { Deps } from '../deps.ts'
import type { DevicePolls } from './device-polls.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Dependencies of the protocol beyond the domain's {@link Deps}. */
export interface OAuthDeps extends Deps {
  readonly keys: SigningKeys
  readonly polls: DevicePolls
}
