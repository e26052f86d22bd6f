import type { LifetimesConfig } from '../contract/fixtures-types.ts'
import { requireDuration } from './duration.ts'
import type { LifetimesMs } from './settings.ts'

/** @param lifetimes lifetimes that the fixtures schema has checked */
export function lifetimesInMs(lifetimes: LifetimesConfig): LifetimesMs {
  return Object.freeze({
    codeMs: requireDuration(lifetimes.code),
    accessTokenMs: requireDuration(lifetimes.accessToken),
    idTokenMs: requireDuration(lifetimes.idToken),
    deviceCodeMs: requireDuration(lifetimes.deviceCode),
    sessionMs: requireDuration(lifetimes.session),
    refreshTokenMs: requireDuration(lifetimes.refreshToken),
  })
}
