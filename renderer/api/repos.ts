import { useWholeList } from './query.ts'

export function useRepos() {
  return useWholeList('GET repos')
}
