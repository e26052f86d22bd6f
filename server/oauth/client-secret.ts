import type { Ids } from '../core/ids.ts'

/** A secret for an app: known for a fake on sight, and unguessable all the same. */
export function newClientSecret(deps: { ids: Pick<Ids, 'of'> }, clientId: string): string {
  return `sandbox_secret_${deps.ids.of('client secret', clientId).alphanumeric(32)}`
}
