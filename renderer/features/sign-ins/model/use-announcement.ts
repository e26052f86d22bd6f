import { useEffect, useRef, useState } from 'react'
import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import { namesOf, tellStep } from './tell-step.ts'
import { words } from '../words.ts'

/** Shortest interval, so that a screen reader can finish a sentence. */
const quietMs = 1000

/** Text of new steps for a polite live region, at most once a second; each step once. */
export function useAnnouncement(flow: FlowDetail): string {
  const [text, setText] = useState('')
  const told = useRef<{ flowId: string; count: number }>(undefined)
  const quietUntil = useRef(0)
  useEffect(() => {
    // Steps that exist when the flow opens are read in place.
    if (told.current?.flowId !== flow.id) {
      told.current = { flowId: flow.id, count: flow.steps.length }
      return undefined
    }
    if (flow.steps.length <= told.current.count) return undefined
    const timer = setTimeout(
      () => {
        setText(tellNew(flow, flow.steps.slice(told.current?.count)))
        told.current = { flowId: flow.id, count: flow.steps.length }
        quietUntil.current = performance.now() + quietMs
      },
      Math.max(0, quietUntil.current - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [flow])
  return text
}

/** Most steps in one announcement; more would be read too late. */
const mostTold = 3

function tellNew(flow: FlowDetail, steps: readonly FlowStep[]): string {
  const nameOf = namesOf(flow)
  const told = steps.slice(-mostTold).map((step) => tellStep(step, nameOf))
  const left = steps.length - told.length
  return [...(left > 0 ? [words.moreStepsThen(left)] : []), ...told].join(' ')
}
