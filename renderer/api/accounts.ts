import type { OrganizationItem, UserItem } from '../../server/contract/control-accounts.ts'
import { useWholeList } from './query.ts'

export function useUsers() {
  return useWholeList<UserItem>('users')
}

export function useOrganizations() {
  return useWholeList<OrganizationItem>('organizations')
}
