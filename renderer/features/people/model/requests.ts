import type {
  CreateOrganizationRequest,
  CreateUserRequest,
  UpdateOrganizationRequest,
  UpdateUserRequest,
} from '../../../../server/contract/control-accounts.ts'
import { callApi } from '../../../api/client.ts'
import { useWrite } from '../../../api/query.ts'

export function useCreateUser() {
  return useWrite({
    call: (body: CreateUserRequest) => callApi('POST users', { body }),
    changes: ['users'],
    done: 'User added',
  })
}

export function useUpdateUser(username: string) {
  return useWrite({
    call: (body: UpdateUserRequest) =>
      callApi('PATCH users/:name', { params: { name: username }, body }),
    changes: ['users', 'organizations', 'tokens'],
    done: 'User saved',
  })
}

export function useDeleteUser() {
  return useWrite({
    call: (name: string) => callApi('DELETE users/:name', { params: { name } }),
    changes: ['users', 'organizations', 'tokens', 'repos', 'webhooks'],
    done: 'User removed',
    failed: 'Could not remove the user',
  })
}

export function useCreateOrganization() {
  return useWrite({
    call: (body: CreateOrganizationRequest) => callApi('POST organizations', { body }),
    changes: ['organizations', 'users'],
    done: 'Organization added',
  })
}

export function useUpdateOrganization(name: string) {
  return useWrite({
    call: (body: UpdateOrganizationRequest) =>
      callApi('PATCH organizations/:name', { params: { name }, body }),
    changes: ['organizations', 'users'],
    done: 'Organization saved',
  })
}

export function useDeleteOrganization() {
  return useWrite({
    call: (name: string) => callApi('DELETE organizations/:name', { params: { name } }),
    changes: ['organizations', 'users', 'repos'],
    done: 'Organization removed',
    failed: 'Could not remove the organization',
  })
}
