import type { ReactNode } from 'react'
import type { FlowDetail } from '../../../../server/contract/control-flows.ts'
import { resultOf } from '../../../../server/contract/flow-result.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Fixes } from '../../../shared/suggested-fixes.tsx'
import { Ago } from '../../../ui/time.tsx'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { FlowBadges } from '../../../shared/flow-badges.tsx'
import { lookOf } from '../../../shared/flow-looks.ts'
import { kindTitles } from '../../../shared/words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** Kind, actors and outcome of a flow. */
export function FlowHeading({ flow, actions }: { flow: FlowDetail; actions: ReactNode }) {
  return (
    <header className="flex flex-col gap-2 border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-lg font-semibold tracking-tight">{kindTitles[flow.kind]}</h2>
        <FlowBadges look={lookOf(flow)} flow={flow} />
        <FindingMark of={{ flowId: flow.id }} />
        <span className="min-w-0 truncate text-sm text-muted">
          {visibleControls([flow.app?.name, flow.user?.username].filter(Boolean).join(' · '))}
          {(flow.app ?? flow.user) && ' · '}
          <Ago time={flow.startedAt} />
        </span>
        <span className="ml-auto flex items-center gap-1.5">{actions}</span>
      </div>
      <FlowEnding flow={flow} />
    </header>
  )
}

/** Outcome of a flow in a sentence, with suggested fixes and gaps in the log. */
function FlowEnding({ flow }: { flow: FlowDetail }) {
  return (
    <>
      {resultOf(flow) === 'refused' ? (
        <p className="flex gap-2 rounded-lg bg-bad-soft px-3 py-2 text-sm">
          <Icon name="info" className="mt-0.5 size-4 text-bad" />
          <span className="min-w-0">{visibleControls(flow.explanation)}</span>
        </p>
      ) : (
        <p className="text-sm text-muted">{visibleControls(flow.explanation)}</p>
      )}
      {/* A device that received slow_down waits, and gets a fix as well. */}
      {flow.outcome !== 'completed' && <Fixes key={flow.id} flowId={flow.id} compact />}
      {flow.missing.map((sentence) => (
        <p key={sentence} className="flex gap-2 text-xs text-warn">
          <Icon name="warning" className="mt-0.5 size-3.5" />
          <span className="min-w-0">{sentence}</span>
        </p>
      ))}
    </>
  )
}
