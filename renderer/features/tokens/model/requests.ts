import type { MintTokenRequest, TokenItem } from '../../../../server/contract/control-tokens.ts'
import { callApi } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'

export function useTokens() {
  return useWholeList('GET tokens')
}

export function useMintToken() {
  return useWrite({
    call: (body: MintTokenRequest) => callApi('POST tokens', { body }),
    changes: ['tokens', 'apps'],
  })
}

export function useRevokeToken() {
  return useWrite({
    call: ({ id }: TokenItem) => callApi('DELETE tokens/:id', { params: { id } }),
    changes: ['tokens', 'apps'],
    done: 'Token revoked',
    failed: 'Could not revoke the token',
  })
}
