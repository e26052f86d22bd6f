import { useEffect, useState } from 'react'
import type { FlowDetail } from '../../../../server/contract/control-flows.ts'
import { useMediaQuery } from '../../../lib/media-query.ts'

/** Pause between two steps that are drawn by themselves: long enough for an arrow to arrive. */
const strideMs = 700

/** Position in the URL, so that a reload keeps it. */
export interface Place {
  /** Chosen step; absent = the newest. */
  stepId: string | undefined
  onStep: (stepId: string | undefined) => void
}

/**
 * Position in a presented flow. Without a chosen step it follows the flow, and draws what arrives step by step.
 * @param fromStart draws the steps that exist already, too: the flow began during the presentation
 */
export function usePlayhead(
  flow: Pick<FlowDetail, 'steps'>,
  { stepId, onStep }: Place,
  fromStart: boolean,
) {
  const last = flow.steps.length - 1
  const chosen = flow.steps.findIndex(({ id }) => id === stepId)
  const isLive = chosen === -1
  const [drawn, setDrawn] = useDrawn(last, fromStart)

  function go(index: number): void {
    const target = Math.max(0, Math.min(last, index))
    const isEnd = target === last
    if (isEnd) setDrawn(last)
    onStep(isEnd ? undefined : flow.steps[target]?.id)
  }

  return { current: isLive ? Math.min(drawn, last) : chosen, last, isLive, go }
}

/** Index of the last step drawn so far, which catches up with the sign-in. */
function useDrawn(last: number, fromStart: boolean) {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [drawn, setDrawn] = useState(fromStart && !isStill ? 0 : last)
  useEffect(() => {
    if (drawn >= last) return undefined
    const timer = setTimeout(() => setDrawn(isStill ? last : drawn + 1), isStill ? 0 : strideMs)
    return () => clearTimeout(timer)
  }, [drawn, last, isStill])
  return [drawn, setDrawn] as const
}
