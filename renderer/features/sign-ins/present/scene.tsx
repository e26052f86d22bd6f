import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import { callUntil } from '../../../api/client.ts'
import { Badge } from '../../../ui/badge.tsx'
import { lookOfStep } from '../../../shared/flow-looks.ts'
import { type Artefact, chooseArtefact } from '../model/choose-artefact.ts'
import { plainText } from '../model/plain-text.ts'
import { namesOf } from '../model/describe-step.ts'
import { ArtefactView } from './artefacts.tsx'

/** Explains the current step in a sentence and draws its artefact large. */
export function Scene({ flow, step, children }: SceneProps) {
  const nameOf = namesOf(flow)
  const { tone, icon, word } = lookOfStep(step)
  const from = nameOf(step.from)
  const to = nameOf(step.to)
  return (
    <section aria-label="What just happened" className="flex min-h-0 flex-col gap-3">
      <header className="flex flex-col gap-1.5">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base text-muted">
          {from === to ? from : `${from} → ${to}`}
          {step.outcome !== 'ok' && (
            <Badge tone={tone} icon={icon}>
              {step.error ?? word}
            </Badge>
          )}
        </p>
        <h2 aria-live="polite" className="text-xl leading-tight font-semibold">
          {plainText(step.name)}
        </h2>
        <p className="max-w-[46ch] text-lg leading-snug">{plainText(step.explanation ?? '')}</p>
      </header>
      {children}
    </section>
  )
}

interface SceneProps {
  flow: Pick<FlowDetail, 'actors'>
  step: FlowStep
  /** Artefact of the step. */
  children: ReactNode
}

/** Artefact of a step of a sign-in, which is read with the details of the step. */
export function StepArtefact({ flow, step }: { flow: FlowDetail; step: FlowStep }) {
  const { data: detail } = useQuery({
    queryKey: ['flows', `${flow.id}/steps/${step.id}`, { reveal: '' }],
    queryFn: ({ signal }) =>
      callUntil(signal)('GET flows/:id/steps/:step', { params: { id: flow.id, step: step.id } }),
    placeholderData: keepPreviousData,
  })
  if (detail?.step.id !== step.id) return null
  const artefact = chooseArtefact(detail, flow)
  return artefact && <ShownArtefact key={step.id} artefact={artefact} />
}

export function ShownArtefact({ artefact }: { artefact: Artefact }) {
  return (
    <div className="stage-artefact min-h-0 overflow-hidden">
      <ArtefactView artefact={artefact} />
    </div>
  )
}
