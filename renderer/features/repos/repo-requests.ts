import type {
  CreateRepoRequest,
  RepoDetail,
  RepoItem,
  UpdateRepoRequest,
} from '../../../server/contract/control-repos.ts'
import { callApi, part } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/query.ts'

export function useRepo(id: string) {
  return useRead<RepoDetail>('repos', part(id))
}

export function useCreateRepo() {
  return useWrite<CreateRepoRequest, RepoItem>({
    call: (body) => callApi('repos', { method: 'POST', body }),
    changes: ['repos', 'deliveries'],
    done: 'Repo created',
  })
}

export function useUpdateRepo(id: string) {
  return useWrite<UpdateRepoRequest, RepoItem>({
    call: (body) => callApi(`repos/${part(id)}`, { method: 'PATCH', body }),
    changes: ['repos', 'deliveries'],
    done: 'Repo changed',
    failed: 'The repo could not be changed',
  })
}

export function useDeleteRepo() {
  return useWrite<string>({
    call: (id) => callApi(`repos/${part(id)}`, { method: 'DELETE' }),
    changes: ['repos', 'deliveries'],
    done: 'Repo deleted',
    failed: 'The repo could not be deleted',
  })
}
