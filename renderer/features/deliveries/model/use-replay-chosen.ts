import { useRef, useState } from 'react'
import type { ReplayManyRequest } from '../../../../server/contract/control-deliveries.ts'
import { useDeliveryList, useReplayMany } from '../../../api/deliveries.ts'
import { flattenRows } from '../../../api/delivery-rows.ts'
import { countAttempts, oldestFirst } from './replay-outcome.ts'

/** Replays deliveries, oldest first unless shuffled; the list shows the progress. */
export function useReplayChosen(chosen: readonly string[]) {
  const rows = flattenRows(useDeliveryList('sent').data?.pages ?? [])
  const replay = useReplayMany()
  const [before, setBefore] = useState<number>()
  const [stopped, setStopped] = useState(false)
  const hangUp = useRef<AbortController>(null)
  const attempts = countAttempts(rows, new Set(chosen))
  return {
    running: replay.isPending,
    stopped,
    /** Attempts so far, by the live feed. */
    sent: attempts - (before ?? attempts),
    result: replay.data,
    error: stopped ? null : replay.error,
    start: (how: Omit<ReplayManyRequest, 'ids'>) => {
      hangUp.current = new AbortController()
      setBefore(attempts)
      setStopped(false)
      const body = { ids: oldestFirst(chosen, rows), ...how }
      replay.mutate({ body, signal: hangUp.current.signal })
    },
    stop: () => {
      if (replay.isPending) setStopped(true)
      hangUp.current?.abort()
    },
  }
}
