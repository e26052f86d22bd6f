import { useWholeList } from './query.ts'

export function useApps() {
  return useWholeList('GET apps')
}
