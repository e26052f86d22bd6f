import { useWholeList } from './query.ts'

export function useUsers() {
  return useWholeList('GET users')
}

export function useOrganizations() {
  return useWholeList('GET organizations')
}
