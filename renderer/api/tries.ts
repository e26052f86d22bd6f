import { useQuery } from '@tanstack/react-query'
import type { TryItem, TryRequest } from '../../server/contract/control-tries.ts'
import { callApi, callUntil } from './client.ts'
import { useWrite } from './query.ts'

/** How often it is looked whether a person has come back from a browser: nobody else tells. */
const personMs = 1000

/** The flows that the sandbox plays an app in, newest first. */
export function useTries() {
  return useQuery({
    queryKey: ['tries', '', {}],
    queryFn: async ({ signal }) => (await callUntil(signal)('GET tries')).items,
    refetchInterval: ({ state }) => (state.data?.some(mayMove) === true ? personMs : false),
  })
}

function mayMove({ done, waiting, next }: TryItem): boolean {
  return !done && (waiting !== undefined || next?.url !== undefined)
}

export function useStartTry() {
  return useWrite({
    call: (body: TryRequest) => callApi('POST tries', { body }),
    changes: ['tries', 'flows'],
  })
}

export function useNextStep() {
  return useWrite({
    call: (id: string) => callApi('POST tries/:id/next', { params: { id } }),
    changes: ['tries', 'flows'],
    failed: 'The step could not be played',
  })
}

export function useEndTry() {
  return useWrite({
    call: (id: string) => callApi('DELETE tries/:id', { params: { id } }),
    changes: ['tries'],
    failed: 'It could not be ended',
  })
}
