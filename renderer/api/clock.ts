import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { MoveClockRequest } from '../../server/contract/control-clock.ts'
import { setClockReading } from '../lib/sandbox-clock.ts'
import { callApi, callUntil } from './client.ts'
import { useRead, useWrite } from './query.ts'

export function useClock() {
  const query = useRead('GET clock')
  useEffect(() => {
    if (query.data) setClockReading(query.data)
  }, [query.data])
  return query
}

/** Lists what advancing the clock would expire; nearly everything changes it, so it is read each time. */
export function useClockPreview(advance: string) {
  return useQuery({
    queryKey: ['clock', 'preview', { advance }],
    queryFn: ({ signal }) => callUntil(signal)('GET clock/preview', { query: { advance } }),
    enabled: advance !== '',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

export function useMoveClock() {
  return useWrite({
    call: (body: MoveClockRequest) => callApi('POST clock', { body }),
    changes: ['clock', 'tokens', 'device', 'inference-endpoints', 'scheduled-jobs'],
    failed: 'Could not change the clock',
  })
}
