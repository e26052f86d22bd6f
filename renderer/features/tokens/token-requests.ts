import type {
  MintedToken,
  MintTokenRequest,
  TokenItem,
} from '../../../server/contract/control-tokens.ts'
import { callApi, part } from '../../api/client.ts'
import { useWholeList, useWrite } from '../../api/query.ts'

export function useTokens() {
  return useWholeList<TokenItem>('tokens')
}

export function useMintToken() {
  return useWrite<MintTokenRequest, MintedToken>({
    call: (body) => callApi('tokens', { method: 'POST', body }),
    changes: ['tokens', 'apps'],
  })
}

export function useRevokeToken() {
  return useWrite<TokenItem>({
    call: ({ id }) => callApi(`tokens/${part(id)}`, { method: 'DELETE' }),
    changes: ['tokens', 'apps'],
    done: 'Token revoked',
    failed: 'The token could not be revoked',
  })
}
