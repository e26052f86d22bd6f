import { useQuery } from '@tanstack/react-query'
import type { DemoItem, DemoRequest } from '../../server/contract/control-demos.ts'
import { callApi, callUntil } from './client.ts'
import { useWrite } from './query.ts'

/** Interval of polling for a person's decision in a browser, which the live feed does not report. */
const personMs = 1000

/** Demos, newest first. */
export function useDemos() {
  return useQuery({
    queryKey: ['demos', '', {}],
    queryFn: async ({ signal }) => (await callUntil(signal)('GET demos')).items,
    refetchInterval: ({ state }) => (state.data?.some(mayMove) === true ? personMs : false),
  })
}

function mayMove({ done, waiting, next }: DemoItem): boolean {
  return !done && (waiting !== undefined || next?.url !== undefined)
}

export function useStartDemo() {
  return useWrite({
    call: (body: DemoRequest) => callApi('POST demos', { body }),
    changes: ['demos', 'flows'],
  })
}

export function useNextStep() {
  return useWrite({
    call: (id: string) => callApi('POST demos/:id/next', { params: { id } }),
    changes: ['demos', 'flows'],
    failed: 'Could not play the step',
  })
}

export function useEndDemo() {
  return useWrite({
    call: (id: string) => callApi('DELETE demos/:id', { params: { id } }),
    changes: ['demos'],
    failed: 'Could not cancel the demo',
  })
}
