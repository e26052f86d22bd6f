import { useEffect } from 'react'
import type { MoveClockRequest } from '../../server/contract/control-clock.ts'
import { setClockReading } from '../lib/sandbox-clock.ts'
import { callApi } from './client.ts'
import { useRead, useWrite } from './query.ts'

export function useClock() {
  const query = useRead('GET clock')
  useEffect(() => {
    if (query.data) setClockReading(query.data)
  }, [query.data])
  return query
}

export function useMoveClock() {
  return useWrite({
    call: (body: MoveClockRequest) => callApi('POST clock', { body }),
    changes: ['clock', 'tokens', 'device', 'inference-endpoints', 'scheduled-jobs'],
    failed: 'Could not change the clock',
  })
}
