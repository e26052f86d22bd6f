import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { FlowDetail } from '../../../../server/contract/control-flows.ts'
import { useCompare } from '../../../shared/compare/use-compare.ts'
import { words as sharedWords } from '../../../shared/words.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { usePresent } from '../../../lib/present.ts'
import { CompareSignIns } from './compare-sign-ins.tsx'
import { StepPane } from './step-pane.tsx'
import { DeviceCode } from './device-code.tsx'
import { Diagram } from './diagram/diagram.tsx'
import { StepList } from './diagram/step-list.tsx'
import { useStepWalk } from './diagram/use-step-walk.ts'
import { useWidth } from '../../../lib/use-width.ts'
import { ExportMenu } from './export-menu.tsx'
import { FlowHeading } from './flow-heading.tsx'
import { namesOf } from '../model/describe-step.ts'
import { useAnnouncement } from '../model/use-announcement.ts'
import { words } from '../words.ts'

/** Least width of the diagram, in pixels at 100 %. */
const leastWidth = 520

interface FlowPanelProps {
  flow: FlowDetail
  stepId: string | undefined
  /** Diagram and details fit beside each other. */
  wide: boolean
  /** Returns to the list, if that is not shown beside it. */
  onBack: (() => void) | undefined
}

/** One flow: outcome, diagram and the details of a step. */
export function FlowPanel({ flow, stepId, wide, onBack }: FlowPanelProps) {
  const [, navigate] = useLocation()
  const base = `/sign-ins/${encodeURIComponent(flow.id)}`
  const openStep = useCallback(
    // Reads the parameters at call time, so that the function stays stable.
    (id: string) => navigate(`${base}/${encodeURIComponent(id)}${window.location.search}`),
    [base, navigate],
  )
  const { walk, setList } = useStepWalk({ steps: flow.steps, openId: stepId, onOpen: openStep })
  const [setScroller, width, scroller] = useWidth()
  const compare = useCompare()
  const nameOf = useMemo(() => namesOf(flow), [flow])
  const close = () => {
    navigate(`${base}${window.location.search}`)
    if (stepId !== undefined) walk.focus(stepId)
  }
  useHotkeys({ Escape: close }, stepId !== undefined && !compare.isOpen)
  useHotkeys({ D: compare.open, v: () => compare.toggleMark(flow.id) })
  return (
    <article aria-label="Sign-in" className="flex h-full min-h-0 flex-col bg-surface">
      <FlowHeading
        flow={flow}
        actions={
          <>
            {onBack && (
              <IconButton icon="menu" label={words.allSignIns} size="small" onClick={onBack} />
            )}
            {onBack && <PresentButton />}
            <Button size="small" icon="copy" onClick={compare.open}>
              {sharedWords.compare}
            </Button>
            <ExportMenu flow={flow} />
          </>
        }
      />
      {compare.isOpen && <CompareSignIns flow={flow} compare={compare} />}
      {flow.device && <DeviceCode device={flow.device} />}
      <div className="flex min-h-0 flex-1">
        <div
          ref={setScroller}
          data-scroller
          className={classNames(
            'scroll-quiet min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto',
            stepId !== undefined && !wide && 'hidden',
          )}
        >
          {width === undefined ? undefined : width < leastWidth ? (
            <StepList key={flow.id} flow={flow} walk={walk} setList={setList} />
          ) : (
            <Diagram
              key={flow.id}
              flow={flow}
              walk={walk}
              setList={setList}
              scroller={scroller}
              width={width}
            />
          )}
        </div>
        {stepId !== undefined && (
          <div
            className={wide ? 'w-[44%] max-w-160 shrink-0 border-l border-line' : 'min-w-0 flex-1'}
          >
            <StepPane flowId={flow.id} stepId={stepId} nameOf={nameOf} onClose={close} />
          </div>
        )}
      </div>
      <output className="sr-only">{useAnnouncement(flow)}</output>
    </article>
  )
}

/** Stands in for the button of the page, which a narrow screen does not show. */
function PresentButton() {
  const { setPresented } = usePresent()
  return (
    <IconButton
      icon="screen"
      label={words.present}
      size="small"
      onClick={() => setPresented(true)}
    />
  )
}
