import type { PoisonFault, Step } from '../../app-module.ts'

/** A sign-in whose token response is changed. */
export function poisonTokens(effect: Omit<PoisonFault, 'match'>): readonly Step[] {
  const match = { route: '/oauth/token', grantType: 'authorization_code' }
  return [{ do: 'poison', faults: [{ match, ...effect }] }, { do: 'sign-in' }]
}
