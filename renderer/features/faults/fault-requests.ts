import type { AddFaultRequest } from '../../../server/contract/control-faults.ts'
import { callApi } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/query.ts'

export function useFaults() {
  return useRead('GET faults')
}

export function useAddFault() {
  return useWrite({
    call: (body: AddFaultRequest) => callApi('POST faults', { body }),
    changes: ['faults'],
    done: 'Fault added',
  })
}

export function useRemoveFault() {
  return useWrite({
    call: (id: string) => callApi('DELETE faults/:id', { params: { id } }),
    changes: ['faults'],
    failed: 'The fault could not be removed',
  })
}

export function useBarriers() {
  return useRead('GET barriers')
}

export function useReleaseBarrier() {
  return useWrite({
    call: (id: string) => callApi('POST barriers/:id/release', { params: { id } }),
    changes: ['barriers'],
    done: 'Requests released',
    failed: 'The barrier could not be released',
  })
}
