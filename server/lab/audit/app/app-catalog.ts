import type { AuditModule } from './app-module.ts'
import { denied } from './modules/callback/denied.ts'
import { foreignSession } from './modules/callback/foreign-session.ts'
import { longCode } from './modules/callback/long-code.ts'
import { markup } from './modules/callback/markup.ts'
import { otherIssuer, unknownParameters } from './modules/callback/parameter-modules.ts'
import { stateChanged } from './modules/callback/state-changed.ts'
import { stateMissing } from './modules/callback/state-missing.ts'
import { twice } from './modules/callback/twice.ts'
import { deviceModules } from './modules/device/device-modules.ts'
import { claimModules } from './modules/id-token/claims.ts'
import { garbage } from './modules/id-token/garbage.ts'
import { nonce } from './modules/id-token/nonce.ts'
import {
  embeddedKey,
  publicKeyAsSecret,
  unsigned,
  wrongSignature,
} from './modules/id-token/signatures.ts'
import { unverifiedEmail } from './modules/identity/unverified-email.ts'
import { keyModules } from './modules/keys/key-modules.ts'
import { metadataModules } from './modules/metadata/metadata.ts'
import { expiredToken, revoked } from './modules/session/expired-token.ts'
import {
  refreshedIdToken,
  refreshedSubject,
  refreshLost,
  refreshRace,
  refreshRefused,
  refreshRotated,
} from './modules/session/refresh.ts'
import { tooMany } from './modules/session/too-many.ts'
import { tokenFailures } from './modules/token/failures.ts'
import { longTokens } from './modules/token/long.ts'
import { tokenMembers } from './modules/token/member-modules.ts'
import { narrower } from './modules/token/narrower.ts'
import { userinfoModules } from './modules/userinfo/userinfo-modules.ts'

/**
 * Modules of the app audit, in the order in which they run. The first shows whether the app reads the ID token;
 * `id-token/alg-none` shows whether it checks the signature. The keys come last: an app that reads them once signs nobody in
 * after they were rotated.
 */
export const appModules: readonly AuditModule[] = [
  garbage,
  ...claimModules,
  nonce,
  unsigned,
  publicKeyAsSecret,
  wrongSignature,
  embeddedKey,
  ...userinfoModules,
  unverifiedEmail,
  stateChanged,
  stateMissing,
  foreignSession,
  twice,
  denied,
  markup,
  unknownParameters,
  longCode,
  otherIssuer,
  ...metadataModules,
  ...tokenFailures,
  longTokens,
  ...tokenMembers,
  narrower,
  expiredToken,
  refreshRefused,
  refreshRotated,
  refreshRace,
  refreshLost,
  refreshedIdToken,
  refreshedSubject,
  revoked,
  tooMany,
  ...keyModules,
  ...deviceModules,
]
