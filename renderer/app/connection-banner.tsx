import { useEffect, useState } from 'react'
import { useLive, useLiveStatus } from '../api/live-context.ts'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'

/** A restart of the server is over in less: no need to alarm. */
const graceMs = 800

export function ConnectionBanner() {
  const { connection } = useLive()
  const lost = useLiveStatus() === 'lost'
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? graceMs : 0)
    return () => clearTimeout(timer)
  }, [lost])
  return (
    <output>
      {shown && (
        <div className="flex items-center gap-3 border-b border-line bg-warn-soft px-4 py-1.5 text-sm">
          <Icon name="warning" className="size-4 text-warn" />
          <p className="min-w-0 flex-1">
            The sandbox does not answer. What you see is from before; it catches up by itself.
          </p>
          <Button size="small" icon="retry" onClick={() => connection.retry()}>
            Try now
          </Button>
        </div>
      )}
    </output>
  )
}
