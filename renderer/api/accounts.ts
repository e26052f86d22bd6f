import type { OrganizationList, UserList } from '../../server/contract/control-accounts.ts'
import { useRead, wholeList } from './query.ts'

export function useUsers() {
  return useRead<UserList>('users', '', { query: wholeList })
}

export function useOrganizations() {
  return useRead<OrganizationList>('organizations', '', { query: wholeList })
}
