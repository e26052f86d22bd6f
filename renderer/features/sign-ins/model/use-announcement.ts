import { useEffect, useRef, useState } from 'react'
import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import { namesOf, describeStep } from './describe-step.ts'

/** Shortest interval, so that a screen reader can finish a sentence. */
const quietMs = 1000

/** Text of new steps for a polite live region, at most once a second; each step once. */
export function useAnnouncement(flow: FlowDetail): string {
  const [text, setText] = useState('')
  const announced = useRef<{ flowId: string; count: number }>(undefined)
  const quietUntil = useRef(0)
  useEffect(() => {
    // Steps that exist when the flow opens are read in place.
    if (announced.current?.flowId !== flow.id) {
      announced.current = { flowId: flow.id, count: flow.steps.length }
      return undefined
    }
    if (flow.steps.length <= announced.current.count) return undefined
    const timer = setTimeout(
      () => {
        setText(announceNew(flow, flow.steps.slice(announced.current?.count)))
        announced.current = { flowId: flow.id, count: flow.steps.length }
        quietUntil.current = performance.now() + quietMs
      },
      Math.max(0, quietUntil.current - performance.now()),
    )
    return () => clearTimeout(timer)
  }, [flow])
  return text
}

/** Most steps in one announcement; more would be read too late. */
const mostAnnounced = 3

function announceNew(flow: FlowDetail, steps: readonly FlowStep[]): string {
  const nameOf = namesOf(flow)
  const sentences = steps.slice(-mostAnnounced).map((step) => describeStep(step, nameOf))
  const left = steps.length - sentences.length
  return [...(left > 0 ? [`${left} more steps, then:`] : []), ...sentences].join(' ')
}
