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
    done: 'Fault added',
  })
}

/** Experiments, read again and again while a verdict is awaited. */
export function useExperiments() {
  return useQuery({
    queryKey: ['experiments', '', {}],
    queryFn: ({ signal }) => callUntil(signal)('GET experiments'),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ verdict }) => verdict?.state === 'watching') ? 1000 : false,
  })
}

/** Runs an experiment in place of an earlier run, with the user's app or the demo app. */
export function useRunExperiment({ toldByCaller = false } = {}) {
  return useWrite({
    call: ({ id, play = false }: { id: string; play?: boolean }) =>
      callApi('POST experiments/:id/run', { params: { id }, body: { play } }),
    changes: ['experiments', 'faults', 'demos', 'flows', 'requests', 'deliveries'],
    ...(!toldByCaller && { failed: 'Could not run the experiment' }),
  })
}

export function useStopExperiment() {
  return useWrite({
    call: (id: string) => callApi('DELETE experiments/:id/run', { params: { id } }),
    changes: ['experiments', 'faults'],
    failed: words.removeFailed,
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
    failed: 'Could not remove the faults',
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
    done: 'Requests released',
    failed: 'Could not release the barrier',
  })
}
