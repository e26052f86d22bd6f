import type { RepoItem } from '../../server/contract/control-repos.ts'
import { useWholeList } from './query.ts'

export function useRepos() {
  return useWholeList<RepoItem>('repos')
}
