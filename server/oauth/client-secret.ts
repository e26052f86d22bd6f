import type { Ids } from '../core/ids.ts'

/** A secret for an app: known for a fake on sight, and unguessable all the same. */
export function newClientSecret({ ids }: { ids: Pick<Ids, 'alphanumeric'> }): string {
  return `sandbox_secret_${ids.alphanumeric(32)}`
}
