import type {
  CreateAppRequest,
  UpdateAppRequest,
} from '../../../../server/contract/control-apps.ts'
import { callApi } from '../../../api/client.ts'
import { useWrite } from '../../../api/query.ts'

export function useCreateApp() {
  return useWrite({
    call: (body: CreateAppRequest) => callApi('POST apps', { body }),
    changes: ['apps'],
    done: 'App registered',
  })
}

export function useUpdateApp(clientId: string) {
  return useWrite({
    call: (body: UpdateAppRequest) =>
      callApi('PATCH apps/:clientId', { params: { clientId }, body }),
    changes: ['apps'],
    done: 'App saved',
  })
}

export function useDeleteApp() {
  return useWrite({
    call: (clientId: string) => callApi('DELETE apps/:clientId', { params: { clientId } }),
    changes: ['apps', 'tokens', 'consents'],
    done: 'App deleted',
    failed: 'The app could not be deleted',
  })
}

export function useRotateSecret() {
  return useWrite({
    call: (clientId: string) => callApi('POST apps/:clientId/secret', { params: { clientId } }),
    changes: ['apps'],
    done: 'New secret made; the old one no longer works',
    failed: 'No new secret could be made',
  })
}

export function useDeleteSecret() {
  return useWrite({
    call: (clientId: string) => callApi('DELETE apps/:clientId/secret', { params: { clientId } }),
    changes: ['apps'],
    done: 'The app is public now',
    failed: 'The secret could not be removed',
  })
}
