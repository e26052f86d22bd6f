import { useQuery } from '@tanstack/react-query'
import type { MintTokenRequest, TokenItem } from '../../../../server/contract/control-tokens.ts'
import { callApi, callUntil } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'

export function useTokens() {
  return useWholeList('GET tokens')
}

/** Number of rows on Home. */
const newest = 6

/** The tokens issued last. */
export function useNewestTokens() {
  return useQuery({
    queryKey: ['tokens', 'newest'],
    queryFn: async ({ signal }) =>
      (await callUntil(signal)('GET tokens', { query: { limit: newest } })).items,
  })
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
