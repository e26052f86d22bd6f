import type {
  MintedToken,
  MintTokenRequest,
  TokenItem,
  TokenList,
} from '../../../server/contract/control-tokens.ts'
import { callApi, part } from '../../api/client.ts'
import { useRead, useWrite, wholeList } from '../../api/query.ts'

export function useTokens() {
  return useRead<TokenList>('tokens', '', { query: wholeList })
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
