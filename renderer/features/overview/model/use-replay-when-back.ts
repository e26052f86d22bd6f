import { useEffect, useRef, useState } from 'react'
import type { DeliveryIssue } from '../../../../server/contract/control-summary.ts'
import type { DeliveryErrorClass } from '../../../../server/contract/words/webhooks.ts'
import { probeReceiver } from '../../../api/issues.ts'

const firstWaitMs = 2000
const longestWaitMs = 30_000

/** Errors that a receiver cannot end by coming back. */
const lasting: ReadonlySet<DeliveryErrorClass> = new Set([
  'blocked_target',
  'sender_fault',
  'job_failed',
])

/** Tells whether a receiver can be waited for: not a job, which each check would start. */
export function canComeBack(issue: DeliveryIssue): boolean {
  return issue.isCurrent && !lasting.has(issue.class)
}

/**
 * Replays one delivery of an issue, again and again, until the receiver takes it; then calls back.
 * @returns whether it is waiting, with a function that starts or stops it
 */
export function useReplayWhenBack({ lastDeliveryId }: DeliveryIssue, onBack: () => void) {
  const [waiting, setWaiting] = useState(false)
  const latest = useRef({ lastDeliveryId, onBack })
  useEffect(() => {
    latest.current = { lastDeliveryId, onBack }
  })
  useEffect(() => {
    if (!waiting) return undefined
    let isOver = false
    let waitMs = firstWaitMs
    let timer = setTimeout(check, waitMs)
    function check(): void {
      // A sandbox that does not respond is waited for as a receiver is.
      const back = probeReceiver(latest.current.lastDeliveryId).catch(() => false)
      void back.then((isBack) => {
        if (isOver) return
        if (isBack) {
          setWaiting(false)
          latest.current.onBack()
          return
        }
        waitMs = Math.min(longestWaitMs, waitMs * 2)
        timer = setTimeout(check, waitMs)
      })
    }
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [waiting])
  return { waiting, setWaiting }
}
