import { memo, useMemo } from 'react'
import type { FlowDetail } from '../../../../../server/contract/control-flows.ts'
import { namesOf, describeStep } from '../../model/describe-step.ts'
import { LaneHeads } from './lane-heads.tsx'
import { headHeight, layOut, padding, type DrawnStep } from './layout.ts'
import { measureInBrowser } from './measure.ts'
import { themePalette } from './palette.ts'
import { StepButton } from './step-button.tsx'
import { LaneLines, StepShape } from './step-shape.tsx'
import { useNewSteps } from './use-new-steps.ts'
import { useSight } from './use-sight.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'
import type { StepButtonProps, StepWalk } from './use-step-walk.ts'

export interface FlowDrawingProps {
  flow: FlowDetail
  walk: StepWalk['walk']
  setList: StepWalk['setList']
  scroller: HTMLElement | null
  /** Available width in pixels. */
  width: number
}

/** Flow as a sequence diagram: a line for each actor, a row for each step. */
export function Diagram({ flow, walk, setList, scroller, width }: FlowDrawingProps) {
  const measure = useMemo(() => measureInBrowser(), [])
  const drawing = useMemo(() => layOut(flow, width, measure), [flow, width, measure])
  const nameOf = useMemo(() => namesOf(flow), [flow])
  const [from, to] = useSight(scroller)
  const isNew = useNewSteps(flow)
  useStayAtEnd(scroller, drawing.height, flow.outcome === 'pending')
  return (
    <>
      <svg
        aria-hidden="true"
        width={width}
        height={headHeight}
        viewBox={`0 0 ${drawing.width} ${headHeight}`}
        className="flow-drawing sticky top-0 z-10 block bg-surface"
      >
        <LaneHeads drawing={drawing} palette={themePalette} />
      </svg>
      <div className="relative">
        <svg
          aria-hidden="true"
          width={width}
          height={drawing.height}
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          className="flow-drawing absolute inset-0"
        >
          <LaneLines drawing={drawing} palette={themePalette} />
        </svg>
        <ol ref={setList} aria-label="Steps" className="relative" style={{ paddingBlock: padding }}>
          {drawing.steps.map((drawn) => (
            <StepRow
              key={drawn.step.id}
              drawn={drawn}
              story={describeStep(drawn.step, nameOf)}
              width={drawing.width}
              isDrawn={drawn.top < to && drawn.top + drawn.height > from}
              isNew={isNew(drawn.step.id)}
              {...walk.buttonProps(drawn.step.id)}
            />
          ))}
        </ol>
      </div>
    </>
  )
}

interface StepRowProps extends StepButtonProps {
  drawn: DrawnStep
  story: string
  width: number
  isDrawn: boolean
  isNew: boolean
}

const StepRow = memo(function StepRow(props: StepRowProps) {
  const { drawn, width, isDrawn, isNew } = props
  return (
    <li style={{ height: drawn.height }} className={isNew ? 'flow-arrives' : undefined}>
      <StepButton {...props} className="size-full">
        {isDrawn && (
          <svg
            aria-hidden="true"
            width={width}
            height={drawn.height}
            viewBox={`0 0 ${width} ${drawn.height}`}
            className="flow-drawing block max-w-full"
          >
            <StepShape drawn={drawn} palette={themePalette} width={width} />
          </svg>
        )}
      </StepButton>
    </li>
  )
}, isDrawnAlike)

/** Each reading creates a new layout, in which most rows are unchanged. */
function isDrawnAlike(
  { drawn: one, ...before }: StepRowProps,
  { drawn: other, ...after }: StepRowProps,
): boolean {
  return (
    one.step === other.step &&
    one.height === other.height &&
    one.from === other.from &&
    one.to === other.to &&
    (Object.keys(after) as (keyof typeof after)[]).every((name) => before[name] === after[name])
  )
}
