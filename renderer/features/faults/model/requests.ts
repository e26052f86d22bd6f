import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type {
  AddFaultRequest,
  FaultMatch,
  FaultPreview,
} from '../../../../server/contract/control-faults.ts'
import type { DemoKind } from '../../../../server/contract/words/sandbox.ts'
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

interface ExperimentRun {
  rule: AddFaultRequest
  /** Rule of an earlier run. */
  earlier: string | undefined
}

/** Arms the rule of an experiment in place of that of an earlier run. */
export function useRunExperiment() {
  return useWrite({
    call: async ({ rule, earlier }: ExperimentRun) => {
      if (earlier !== undefined) await callApi('DELETE faults/:id', { params: { id: earlier } })
      return callApi('POST faults', { body: rule })
    },
    changes: ['faults'],
    failed: words.runFailed,
  })
}

/** Lets the demo app of the sandbox meet a fault. */
export function useDemoApp() {
  return useWrite({
    call: (kind: DemoKind) => callApi('POST demos', { body: { kind } }),
    changes: ['demos', 'flows', 'requests', 'faults'],
    failed: words.demoFailed,
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
