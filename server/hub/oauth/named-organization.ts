import type { Deps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Organization } from '../../store/entities/account-entities.ts'
import { nameKey } from '../../store/state.ts'

/** @throws {Refusal} `not_found` */
export function findNamedOrganization({ state }: Pick<Deps, 'state'>, name: string): Organization {
  const organization = state.organizations.find('name', nameKey(name))
  if (organization !== undefined) return organization
  throw new Refusal('not_found', 'Organization not found.')
}
