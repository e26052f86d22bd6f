import type { Deps } from '../events/deps.ts'
import { Refusal } from '../core/refusal.ts'
import type { Organization } from '../state/entities/accounts.ts'
import { nameKey } from '../state/state.ts'

/** @throws {Refusal} `not_found` */
export function findNamedOrganization({ state }: Pick<Deps, 'state'>, name: string): Organization {
  const organization = state.organizations.find('name', nameKey(name))
  if (organization !== undefined) return organization
  throw new Refusal('not_found', 'Organization not found.')
}
