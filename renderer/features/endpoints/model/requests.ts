import { useEffect } from 'react'
import type {
  CreateInferenceEndpointRequest,
  InferenceEndpointItem,
} from '../../../../server/contract/control-inference.ts'
import { callApi } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'

export type Move = 'pause' | 'resume' | 'scale-to-zero'

const changes = ['inference-endpoints'] as const

/** Lists inference endpoints, and reads them again when the state of one changes with time: no fact tells of it. */
export function useEndpoints() {
  const endpoints = useWholeList('GET inference-endpoints')
  const now = useSandboxNow()
  const isDue =
    endpoints.data?.items.some(
      ({ changesAt }) => changesAt !== undefined && Date.parse(changesAt) <= now,
    ) === true
  const { refetch } = endpoints
  useEffect(() => {
    // Again each second until the sandbox reports the next state.
    if (isDue) void refetch()
  }, [isDue, now, refetch])
  return endpoints
}

export function useCreateEndpoint() {
  return useWrite({
    call: (body: CreateInferenceEndpointRequest) => callApi('POST inference-endpoints', { body }),
    changes,
    done: 'Inference endpoint created',
    failed: 'Could not create the inference endpoint',
  })
}

export function useMoveEndpoint() {
  return useWrite({
    call: ({ id, move }: Pick<InferenceEndpointItem, 'id'> & { move: Move }) =>
      callApi(`POST inference-endpoints/:id/${move}`, { params: { id } }),
    changes,
    failed: 'Could not change the inference endpoint',
  })
}

export function useDeleteEndpoint() {
  return useWrite({
    call: ({ id }: Pick<InferenceEndpointItem, 'id'>) =>
      callApi('DELETE inference-endpoints/:id', { params: { id } }),
    changes,
    done: 'Inference endpoint deleted',
    failed: 'Could not delete the inference endpoint',
  })
}
