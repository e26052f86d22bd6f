import { memo, useMemo } from 'react'
import type { FlowStep } from '../../../../../server/contract/control-flows.ts'
import { toneText } from '../../../../ui/badge.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { classNames } from '../../../../lib/class-names.ts'
import { lookOfStep } from '../../../../shared/flow-looks.ts'
import { formatSince } from '../../model/flow-time.ts'
import { namesOf, describeStep, type NameOf } from '../../model/describe-step.ts'
import { hasCountdown, isWide, metaOf } from './layout.ts'
import { ExpiryText, RunningTook } from './running-text.tsx'
import { StepButton } from './step-button.tsx'
import type { FlowDrawingProps } from './diagram.tsx'
import { useNewSteps } from './use-new-steps.ts'
import type { StepButtonProps } from './use-step-walk.ts'
import { visibleControls } from '../../../../lib/visible-controls.ts'

/** Steps as a list, for screens too narrow for the diagram. */
export function StepList({
  flow,
  walk,
  setList,
}: Pick<FlowDrawingProps, 'flow' | 'walk' | 'setList'>) {
  const nameOf = useMemo(() => namesOf(flow), [flow])
  const isNew = useNewSteps(flow)
  return (
    <ol ref={setList} aria-label="Steps" className="flex flex-col gap-1 px-3 py-2">
      {flow.steps.map((step) => (
        <StepItem
          key={step.id}
          step={step}
          from={nameOf(step.from)}
          to={nameOf(step.to)}
          story={describeStep(step, nameOf)}
          isNew={isNew(step.id)}
          {...walk.buttonProps(step.id)}
        />
      ))}
    </ol>
  )
}

interface StepItemProps extends StepButtonProps {
  step: FlowStep
  from: ReturnType<NameOf>
  to: ReturnType<NameOf>
  story: string
  isNew: boolean
}

const StepItem = memo(function StepItem(props: StepItemProps) {
  const { step, from, to, isNew } = props
  const look = lookOfStep(step)
  const failed = step.outcome === 'refused' || step.outcome === 'broken'
  return (
    <li className={classNames('flow-step', isNew && 'flow-arrives')}>
      <StepButton {...props} className="w-full px-2 py-1.5">
        <span aria-hidden="true" className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2">
          <span className={classNames('pt-0.5', toneText[look.tone])}>
            <Icon name={step.kind === 'clock' ? 'clock' : look.icon} />
          </span>
          <span className="min-w-0">
            <Way step={step} from={from} to={to} />
            <span
              className={classNames(
                'block font-medium',
                step.inferred && 'text-muted italic',
                (failed || step.outcome === 'changed') && toneText[look.tone],
              )}
            >
              {step.name}
            </span>
            <Meta step={step} />
            {step.explanation &&
              (failed || step.outcome === 'changed' || step.kind === 'missing') && (
                <span
                  className={classNames(
                    'mt-1 block rounded-md px-2 py-1 text-xs',
                    step.denied
                      ? 'bg-sunken'
                      : step.outcome === 'refused'
                        ? 'bg-bad-soft'
                        : 'bg-warn-soft',
                  )}
                >
                  {visibleControls(step.explanation)}
                </span>
              )}
          </span>
        </span>
      </StepButton>
    </li>
  )
})

function Way({ step, from, to }: Pick<StepItemProps, 'step' | 'from' | 'to'>) {
  const isBand = isWide(step)
  return (
    <span className="flex min-w-0 items-center gap-1 text-2xs text-muted">
      {!isBand && <Actor>{from}</Actor>}
      {!isBand && from !== to && (
        <>
          <span>{step.kind === 'waiting' ? '⋯' : step.inferred ? '⇢' : '→'}</span>
          <Actor>{to}</Actor>
        </>
      )}
      <span className="ml-auto font-mono whitespace-nowrap">{formatSince(step.sinceMs)}</span>
    </span>
  )
}

function Actor({ children }: { children: string }) {
  // Beside a long name a short one would be cut with it.
  const isShort = children.length <= 12
  return (
    <span
      className={classNames(
        'truncate rounded border border-line bg-canvas px-1.5 leading-4',
        isShort ? 'shrink-0' : 'min-w-0',
      )}
    >
      {children}
    </span>
  )
}

function Meta({ step }: { step: FlowStep }) {
  const runs = step.kind === 'waiting' && step.outcome === 'pending' && step.tookMs !== undefined
  const text = metaOf(step)
  if (text === '') return null
  return (
    <span className="block font-mono text-2xs text-muted">
      {runs && step.tookMs !== undefined ? <RunningTook tookMs={step.tookMs} /> : text}
      {step.polls && hasCountdown(step) && (
        <>
          {' · '}
          <ExpiryText polls={step.polls} />
        </>
      )}
    </span>
  )
}
