import type {
  AppItem,
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

export function useAddRedirectUri({ clientId, redirectUris }: AppItem) {
  return useWrite({
    call: (redirectUri: string) =>
      callApi('PATCH apps/:clientId', {
        params: { clientId },
        body: { redirectUris: [...redirectUris, redirectUri] },
      }),
    changes: ['apps'],
    done: 'Redirect URI added',
    failed: 'Could not add the redirect URI',
  })
}

export function useDeleteApp() {
  return useWrite({
    call: (clientId: string) => callApi('DELETE apps/:clientId', { params: { clientId } }),
    changes: ['apps', 'tokens', 'consents'],
    done: 'App deleted',
    failed: 'Could not delete the app',
  })
}

export function useRotateSecret() {
  return useWrite({
    call: (clientId: string) => callApi('POST apps/:clientId/secret', { params: { clientId } }),
    changes: ['apps'],
    done: 'New secret created; the old one no longer works',
    failed: 'Could not create a secret',
  })
}

export function useDeleteSecret() {
  return useWrite({
    call: (clientId: string) => callApi('DELETE apps/:clientId/secret', { params: { clientId } }),
    changes: ['apps'],
    done: 'Secret removed; the app is public now',
    failed: 'Could not remove the secret',
  })
}
