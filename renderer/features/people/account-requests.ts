import type {
  CreateOrganizationRequest,
  CreateUserRequest,
  OrganizationItem,
  UpdateOrganizationRequest,
  UpdateUserRequest,
  UserItem,
} from '../../../server/contract/control-accounts.ts'
import { callApi, part } from '../../api/client.ts'
import { useWrite } from '../../api/query.ts'

export function useCreateUser() {
  return useWrite<CreateUserRequest, UserItem>({
    call: (body) => callApi('users', { method: 'POST', body }),
    changes: ['users'],
    done: 'User added',
  })
}

export function useUpdateUser(username: string) {
  return useWrite<UpdateUserRequest, UserItem>({
    call: (body) => callApi(`users/${part(username)}`, { method: 'PATCH', body }),
    changes: ['users', 'organizations', 'tokens'],
    done: 'User saved',
  })
}

export function useDeleteUser() {
  return useWrite<string>({
    call: (username) => callApi(`users/${part(username)}`, { method: 'DELETE' }),
    changes: ['users', 'organizations', 'tokens', 'repos', 'webhooks'],
    done: 'User removed',
    failed: 'The user could not be removed',
  })
}

export function useCreateOrganization() {
  return useWrite<CreateOrganizationRequest, OrganizationItem>({
    call: (body) => callApi('organizations', { method: 'POST', body }),
    changes: ['organizations', 'users'],
    done: 'Organization added',
  })
}

export function useUpdateOrganization(name: string) {
  return useWrite<UpdateOrganizationRequest, OrganizationItem>({
    call: (body) => callApi(`organizations/${part(name)}`, { method: 'PATCH', body }),
    changes: ['organizations', 'users'],
    done: 'Organization saved',
  })
}

export function useDeleteOrganization() {
  return useWrite<string>({
    call: (name) => callApi(`organizations/${part(name)}`, { method: 'DELETE' }),
    changes: ['organizations', 'users', 'repos'],
    done: 'Organization removed',
    failed: 'The organization could not be removed',
  })
}
