import { useEffect, useRef, useState } from 'react'
import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import { namesOf, tellStep } from './tell-step.ts'
import { words } from '../words.ts'

/** A screen reader that is told more often never ends a sentence. */
const quietMs = 1000

/** The new steps of a flow in words, at most once a second: for a polite live region. Told ones are not told again. */
export function useAnnouncement(flow: FlowDetail): string {
  const [text, setText] = useState('')
  const told = useRef<{ flowId: string; count: number }>(undefined)
  const quietUntil = useRef(0)
  useEffect(() => {
    // What is there when a flow is opened is read where it stands.
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

/** More than a few would be read long after they came. */
const mostTold = 3

function tellNew(flow: FlowDetail, steps: readonly FlowStep[]): string {
  const nameOf = namesOf(flow)
  const told = steps.slice(-mostTold).map((step) => tellStep(step, nameOf))
  const left = steps.length - told.length
  return [...(left > 0 ? [words.moreStepsThen(left)] : []), ...told].join(' ')
}
