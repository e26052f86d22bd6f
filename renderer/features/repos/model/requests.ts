import type {
  CreateRepoRequest,
  UpdateRepoRequest,
} from '../../../../server/contract/control-repos.ts'
import { callApi } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'

export function useRepo(id: string) {
  return useRead('GET repos/*', { params: { '*': id } })
}

export function useCreateRepo() {
  return useWrite({
    call: (body: CreateRepoRequest) => callApi('POST repos', { body }),
    changes: ['repos', 'deliveries'],
    done: 'Repo created',
  })
}

export function useUpdateRepo(id: string) {
  return useWrite({
    call: (body: UpdateRepoRequest) => callApi('PATCH repos/*', { params: { '*': id }, body }),
    changes: ['repos', 'deliveries'],
    done: 'Repo changed',
    failed: 'Could not change the repo',
  })
}

export function useDeleteRepo() {
  return useWrite({
    call: (id: string) => callApi('DELETE repos/*', { params: { '*': id } }),
    changes: ['repos', 'deliveries'],
    done: 'Repo deleted',
    failed: 'Could not delete the repo',
  })
}
