import type { RepoList } from '../../server/contract/control-repos.ts'
import { useRead, wholeList } from './query.ts'

export function useRepos() {
  return useRead<RepoList>('repos', '', { query: wholeList })
}
