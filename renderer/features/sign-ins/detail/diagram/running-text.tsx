import { useEffect, useState } from 'react'
import type { FlowStep } from '../../../../../server/contract/control-flows.ts'
import { formatSpan } from '../../../../lib/format.ts'
import { useSandboxNow } from '../../../../lib/sandbox-clock.ts'
import { words } from '../../words.ts'

/** Duration of a wait that still lasts, updated between two readings. */
export function RunningTook({ tookMs }: { tookMs: number }) {
  const now = useTicks()
  const [began, setBegan] = useState({ tookMs, at: now - tookMs })
  // A new reading replaces this window's timer.
  if (began.tookMs !== tookMs) setBegan({ tookMs, at: now - tookMs })
  return words.soFar(formatSpan(now - began.at))
}

/** Remaining time of a device code, on the sandbox clock. */
export function ExpiryText({ polls }: { polls: NonNullable<FlowStep['polls']> }) {
  const rest = Date.parse(polls.expiresAt) - useSandboxNow()
  return rest > 0 ? `code expires in ${formatSpan(rest)}` : 'code expired'
}

/** Real time in milliseconds, four times a second. */
function useTicks(): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return now
}
