import type { TriggerRequest, TriggerResult } from '../../server/contract/control-events.ts'
import { callUntil } from './client.ts'
import { useRead, useWrite } from './query.ts'

export function useEventCatalog() {
  return useRead('GET events')
}

export function causeEvent(body: TriggerRequest, signal?: AbortSignal): Promise<TriggerResult> {
  return callUntil(signal)('POST events', { body })
}

interface TriggerOptions {
  /** The form shows the error itself, so there is no toast. */
  toldByForm?: boolean
}

export function useTrigger({ toldByForm = false }: TriggerOptions = {}) {
  return useWrite({
    call: (body: TriggerRequest) => causeEvent(body),
    changes: ['repos'],
    ...(!toldByForm && { failed: 'Could not trigger the event' }),
  })
}
