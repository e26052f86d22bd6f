import { useEffect, useRef, useState } from 'react'
import type { ReplayManyRequest } from '../../../../server/contract/control-deliveries.ts'
import { useReplayMany } from '../../../api/deliveries.ts'
import { useLive } from '../../../api/live-context.ts'
import { countAttempts } from './replay-outcome.ts'

/** Replays deliveries; the live feed has the progress. */
export function useReplayChosen(chosen: readonly string[]) {
  const replay = useReplayMany()
  const { connection } = useLive()
  const [sent, setSent] = useState(0)
  const [stopped, setStopped] = useState(false)
  const hangUp = useRef<AbortController>(null)
  useEffect(() => {
    const ids = new Set(chosen)
    return connection.onMessage(({ entries }) =>
      setSent((count) => count + countAttempts(entries, ids)),
    )
  }, [connection, chosen])
  return {
    running: replay.isPending,
    stopped,
    /** Attempts so far. */
    sent,
    result: replay.data,
    error: stopped ? null : replay.error,
    start: (how: Omit<ReplayManyRequest, 'ids'>) => {
      hangUp.current = new AbortController()
      setSent(0)
      setStopped(false)
      replay.mutate({ body: { ids: [...chosen], ...how }, signal: hangUp.current.signal })
    },
    stop: () => {
      if (replay.isPending) setStopped(true)
      hangUp.current?.abort()
    },
  }
}
