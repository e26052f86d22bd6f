import type { ConsentItem } from '../../../../server/contract/control-apps.ts'
import { callApi } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'

export function useConsents() {
  return useWholeList('GET consents')
}

export function useRevokeConsent() {
  return useWrite({
    call: ({ user, app }: ConsentItem) =>
      callApi('DELETE consents', { query: { user: user.username, clientId: app.clientId } }),
    changes: ['consents', 'tokens', 'apps'],
    done: 'Disconnected',
    failed: 'Could not disconnect the app',
  })
}
