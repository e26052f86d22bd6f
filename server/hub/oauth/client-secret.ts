import type { Ids } from '../../core/ids.ts'

/** Creates an unguessable app secret that is recognizable as fake. */
export function newClientSecret(deps: { ids: Pick<Ids, 'of'> }, clientId: string): string {
  return `sandbox_secret_${deps.ids.of('client secret', clientId).alphanumeric(32)}`
}
