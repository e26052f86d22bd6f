import type {
  AppItem,
  AppSecret,
  ConsentItem,
  CreateAppRequest,
  UpdateAppRequest,
} from '../../../server/contract/control-apps.ts'
import { callApi, part } from '../../api/client.ts'
import { useWholeList, useWrite } from '../../api/query.ts'

export function useCreateApp() {
  return useWrite<CreateAppRequest, AppItem>({
    call: (body) => callApi('apps', { method: 'POST', body }),
    changes: ['apps'],
    done: 'App registered',
  })
}

export function useUpdateApp(clientId: string) {
  return useWrite<UpdateAppRequest, AppItem>({
    call: (body) => callApi(`apps/${part(clientId)}`, { method: 'PATCH', body }),
    changes: ['apps'],
    done: 'App saved',
  })
}

export function useDeleteApp() {
  return useWrite<string>({
    call: (clientId) => callApi(`apps/${part(clientId)}`, { method: 'DELETE' }),
    changes: ['apps', 'tokens', 'consents'],
    done: 'App deleted',
    failed: 'The app could not be deleted',
  })
}

export function useRotateSecret() {
  return useWrite<string, AppSecret>({
    call: (clientId) => callApi(`apps/${part(clientId)}/secret`, { method: 'POST', body: {} }),
    changes: ['apps'],
    done: 'New secret made; the old one no longer works',
    failed: 'No new secret could be made',
  })
}

export function useDeleteSecret() {
  return useWrite<string>({
    call: (clientId) => callApi(`apps/${part(clientId)}/secret`, { method: 'DELETE' }),
    changes: ['apps'],
    done: 'The app is public now',
    failed: 'The secret could not be removed',
  })
}

export function useConsents() {
  return useWholeList<ConsentItem>('consents')
}

export function useRevokeConsent() {
  return useWrite<ConsentItem>({
    call: ({ user, app }) =>
      callApi('consents', {
        method: 'DELETE',
        query: { user: user.username, clientId: app.clientId },
      }),
    changes: ['consents', 'tokens', 'apps'],
    done: 'Disconnected',
    failed: 'The app could not be disconnected',
  })
}
