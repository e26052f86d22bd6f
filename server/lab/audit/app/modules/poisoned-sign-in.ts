import type { PoisonFault, Step } from '../app-module.ts'

/** Token request with a code. */
export const redemption = { route: '/oauth/token', grantType: 'authorization_code' } as const

/** A sign-in that meets faults. */
export function poisonSignIn(...faults: readonly PoisonFault[]): readonly Step[] {
  return [{ do: 'poison', faults }, { do: 'sign-in' }]
}

/** A sign-in whose token response is changed. */
export function poisonTokens(effect: Omit<PoisonFault, 'match'>): readonly Step[] {
  return poisonSignIn({ match: redemption, ...effect })
}

/** A sign-in whose ID token is changed. */
export function poisonIdToken(idToken: NonNullable<PoisonFault['idToken']>): readonly Step[] {
  return poisonTokens({ idToken })
}

/** A sign-in whose callback is changed. */
export function poisonCallback(redirect: NonNullable<PoisonFault['redirect']>): readonly Step[] {
  return poisonSignIn({ match: {}, redirect })
}
