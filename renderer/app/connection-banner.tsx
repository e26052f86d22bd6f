import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, callUntil } from '../api/client.ts'
import { useLive, useLiveStatus } from '../api/live-context.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { words } from './words.ts'

/** Longer than a restart of the server takes, so a restart shows no banner. */
const graceMs = 800
const askAgainMs = 3000

export function ConnectionBanner() {
  const { connection } = useLive()
  const lost = useLiveStatus() === 'lost'
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? graceMs : 0)
    return () => clearTimeout(timer)
  }, [lost])
  const answer = useAnswer(lost)
  return (
    <output>
      {shown && (
        <div className="flex items-center gap-3 border-b border-line bg-warn-soft px-4 py-1.5 text-sm">
          <Icon name={answer === 'refused' ? 'lock' : 'warning'} className="size-4 text-warn" />
          <p className="min-w-0 flex-1">{texts[answer]}</p>
          <Button size="small" icon="retry" onClick={() => connection.retry()}>
            Retry now
          </Button>
        </div>
      )}
    </output>
  )
}

type Answer = 'none' | 'refused' | 'given'

const texts: Record<Answer, string> = {
  none: 'Connection lost. Showing the last known state; reconnecting…',
  refused: words.tokenRequired,
  given: `The live feed is blocked: something between this page and the sandbox does not pass WebSocket connections. Reloading data every ${askAgainMs / 1000} seconds.`,
}

const answerKey = 'answer'

/**
 * Reports whether the control API responds while the live feed is lost, because a browser hides why a socket was
 * refused. While it responds, all shown data is reloaded.
 */
function useAnswer(lost: boolean): Answer {
  const client = useQueryClient()
  const { error, isSuccess, dataUpdatedAt } = useQuery({
    queryKey: [answerKey],
    queryFn: ({ signal }) => callUntil(signal)('GET clock'),
    enabled: lost,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: askAgainMs,
  })
  const isGiven = lost && isSuccess
  useEffect(() => {
    if (!isGiven) return
    const others = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== answerKey,
    }
    // Slower requests may finish.
    void client.invalidateQueries(others, { cancelRefetch: false })
  }, [client, isGiven, dataUpdatedAt])
  if (isGiven) return 'given'
  return error instanceof ApiError && error.status === 401 ? 'refused' : 'none'
}
