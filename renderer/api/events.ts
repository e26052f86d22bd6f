import type {
  EventCatalog,
  TriggerRequest,
  TriggerResult,
} from '../../server/contract/control-events.ts'
import { callApi } from './client.ts'
import { useRead, useWrite } from './query.ts'

export function useEventCatalog() {
  return useRead<EventCatalog>('events')
}

export function triggerEvent(body: TriggerRequest, signal?: AbortSignal): Promise<TriggerResult> {
  return callApi('events', { method: 'POST', body, ...(signal && { signal }) })
}

interface TriggerOptions {
  /** A form says itself why it was refused: nothing else does. */
  toldByForm?: boolean
}

export function useTrigger({ toldByForm = false }: TriggerOptions = {}) {
  return useWrite<TriggerRequest, TriggerResult>({
    call: (body) => triggerEvent(body),
    changes: ['repos'],
    ...(!toldByForm && { failed: 'The event could not be caused' }),
  })
}
