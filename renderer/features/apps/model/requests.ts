import type {
  AppItem,
  CreateAppRequest,
  UpdateAppRequest,
} from '../../../../server/contract/control-apps.ts'
import { callApi } from '../../../api/client.ts'
import { useWrite } from '../../../api/query.ts'
import { words } from '../words.ts'

export function useCreateApp() {
  return useWrite({
    call: (body: CreateAppRequest) => callApi('POST apps', { body }),
    changes: ['apps'],
    done: words.appRegistered,
  })
}

export function useUpdateApp(clientId: string) {
  return useWrite({
    call: (body: UpdateAppRequest) =>
      callApi('PATCH apps/:clientId', { params: { clientId }, body }),
    changes: ['apps'],
    done: words.appSaved,
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
    done: words.redirectUriAdded,
    failed: words.redirectUriNotAdded,
  })
}

export function useDeleteApp() {
  return useWrite({
    call: (clientId: string) => callApi('DELETE apps/:clientId', { params: { clientId } }),
    changes: ['apps', 'tokens', 'consents'],
    done: words.appDeleted,
    failed: words.deleteFailed,
  })
}

export function useRotateSecret() {
  return useWrite({
    call: (clientId: string) => callApi('POST apps/:clientId/secret', { params: { clientId } }),
    changes: ['apps'],
    done: words.secretReplaced,
    failed: words.secretFailed,
  })
}

export function useDeleteSecret() {
  return useWrite({
    call: (clientId: string) => callApi('DELETE apps/:clientId/secret', { params: { clientId } }),
    changes: ['apps'],
    done: words.secretRemoved,
    failed: words.secretNotRemoved,
  })
}
