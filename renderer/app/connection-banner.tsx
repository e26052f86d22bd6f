import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, callUntil } from '../api/client.ts'
import { useLive, useLiveStatus } from '../api/live-context.ts'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'

/** A restart of the server is over in less: no need to alarm. */
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
  const tokenMissing = useTokenMissing(shown)
  return (
    <output>
      {shown && (
        <div className="flex items-center gap-3 border-b border-line bg-warn-soft px-4 py-1.5 text-sm">
          <Icon name={tokenMissing ? 'lock' : 'warning'} className="size-4 text-warn" />
          <p className="min-w-0 flex-1">
            {tokenMissing
              ? 'The sandbox asks for its control token. Open the dashboard by the address that it printed at its last start.'
              : 'The sandbox does not answer. What you see is from before; it catches up by itself.'}
          </p>
          <Button size="small" icon="retry" onClick={() => connection.retry()}>
            Try now
          </Button>
        </div>
      )}
    </output>
  )
}

/** A browser does not tell a page why its socket was refused; the control API does. */
function useTokenMissing(lost: boolean): boolean {
  const { error } = useQuery({
    queryKey: ['control-token'],
    queryFn: ({ signal }) => callUntil(signal)('GET clock'),
    enabled: lost,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: askAgainMs,
  })
  return lost && error instanceof ApiError && error.status === 401
}
