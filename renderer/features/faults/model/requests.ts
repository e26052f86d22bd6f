import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type {
  AddFaultRequest,
  FaultMatch,
  FaultPreview,
} from '../../../../server/contract/control-faults.ts'
import { callApi, callUntil } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'
import { words } from '../words.ts'

export function useFaults() {
  return useRead('GET faults')
}

export function useAddFault() {
  return useWrite({
    call: (body: AddFaultRequest) => callApi('POST faults', { body }),
    changes: ['faults'],
    done: words.faultAdded,
  })
}

export function useRemoveFault() {
  return useWrite({
    call: (id: string) => callApi('DELETE faults/:id', { params: { id } }),
    changes: ['faults'],
    failed: words.removeFailed,
  })
}

export function useRemoveAllFaults() {
  return useWrite({
    call: () => callApi('DELETE faults'),
    changes: ['faults', 'overrides'],
    failed: words.removeAllFailed,
  })
}

/** Preview of a rule; reloaded with each change and by its form only. */
export function useFaultPreview(match: FaultMatch) {
  return useQuery<FaultPreview>({
    queryKey: ['faults', 'preview', match],
    queryFn: ({ signal }) => callUntil(signal)('POST faults/preview', { body: { match } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
}

export function useBarriers() {
  return useRead('GET barriers')
}

export function useReleaseBarrier() {
  return useWrite({
    call: (id: string) => callApi('POST barriers/:id/release', { params: { id } }),
    changes: ['barriers'],
    done: words.requestsReleased,
    failed: words.releaseFailed,
  })
}
