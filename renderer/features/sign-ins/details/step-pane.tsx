import { useLayoutEffect, useRef } from 'react'
import type { FlowStep } from '../../../../server/contract/control-flows.ts'
import type { NameOf } from '../lib/tell-step.ts'
import { RevealContext, useRevealState } from './reveal.ts'
import { StepDetails } from './step-details.tsx'

interface StepPaneProps {
  step: FlowStep
  nameOf: NameOf
  isAudience: boolean
  onClose: () => void
}

/** The details of a step. */
export function StepPane({ step, nameOf, isAudience, onClose }: StepPaneProps) {
  const reveal = useRevealState(step.id, !isAudience)
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollTop = 0
  }, [step.id])
  return (
    <aside
      ref={frame}
      aria-label="Details of the step"
      data-scroller
      className="scroll-quiet h-full min-h-0 overflow-y-auto bg-surface"
    >
      <RevealContext value={reveal}>
        <StepDetails
          detail={{ step, parameters: [], tokens: [] }}
          nameOf={nameOf}
          onClose={onClose}
        />
      </RevealContext>
    </aside>
  )
}
