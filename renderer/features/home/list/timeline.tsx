import { useMemo } from 'react'
import type { RequestDensity } from '../../../../server/contract/control-summary.ts'
import { factKinds } from '../../../../server/contract/fact-kinds.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Toggles } from '../../../ui/toggles.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { formatTime } from '../../../lib/format.ts'
import { useFlag, useParameter } from '../../../lib/parameters.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { activityLines, withoutEchoes } from '../model/activity-lines.ts'
import { batchRequests, countInBins, layAxis } from '../model/density.ts'
import {
  factsOfKinds,
  factsWithin,
  parseKinds,
  parseRange,
  rangeOf,
  rangeText,
  type Span,
  spanNames,
} from '../model/timeline-filter.ts'
import { useEntryNames, useLoggedCounts, useTimeline } from '../model/use-timeline.ts'
import { DensityStrip } from './density-strip.tsx'
import { IssuePointer } from './issue-pointer.tsx'
import { TimelineLine } from './timeline-line.tsx'
import { words } from '../words.ts'

/** The end of the time axis moves in steps, so that its bars do not flicker. */
const axisStepMs = 5000

/** Timeline of all activity. */
export function Timeline({ density }: { density: RequestDensity }) {
  const { entries, wholeTime } = useTimeline()
  const names = useEntryNames()
  const counts = useLoggedCounts()
  const now = useSandboxNow()
  const [span, setSpan] = useParameter('last', spanNames)
  const [rangeWord, setRange] = useParameter('range')
  const [kindText, setKinds] = useParameter('kinds')
  const [issuesOnly, setIssuesOnly] = useFlag('failed')
  const kinds = parseKinds(kindText)
  const range = parseRange(rangeWord)
  const facts = useMemo(() => withoutEchoes(entries), [entries])
  const spanned = factsWithin(facts, rangeOf(span, now))
  const chosen = factsOfKinds(range ? factsWithin(spanned, range) : spanned, kinds)
  const all = activityLines(chosen, names, counts)
  const issues = all.filter(({ isIssue }) => isIssue)
  const lines = issuesOnly ? issues : all
  const end = Math.ceil(now / axisStepMs) * axisStepMs
  const requests = batchRequests(density, rangeOf(span, now).from, end)
  const axis = layAxis(spanned, requests, end)
  return (
    <Panel
      title="Timeline"
      actions={
        <Segments<Span>
          label="Time"
          value={span}
          onChange={setSpan}
          options={[
            { value: '5m', label: 'Last 5 min' },
            { value: '1h', label: 'Last hour' },
            { value: 'all', label: wholeTime },
          ]}
        />
      }
      flush
    >
      <div className="flex flex-col gap-2 px-4 pb-2">
        <DensityStrip
          key={span}
          axis={axis}
          count={(bins) => countInBins(axis, spanned, requests, bins)}
          range={range}
          onRange={(next) => setRange(next === undefined ? '' : rangeText(next))}
        />
        {range && (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <span className="tabular-nums">
              {formatTime(range.from)} – {formatTime(range.to)}
            </span>
            <Button size="small" onClick={() => setRange('')}>
              Whole time
            </Button>
          </p>
        )}
        <Toggles
          label="Kinds"
          options={factKinds}
          chosen={kinds}
          onChange={(next) => setKinds(next.join(','))}
        />
        <IssuePointer issues={issues} only={issuesOnly} onOnly={setIssuesOnly} />
      </div>
      {lines.length === 0 ? (
        <p className="px-4 pt-2 pb-6 text-sm text-muted">
          {entries.length === 0 ? 'No activity yet.' : 'No matching activity in this period.'}
        </p>
      ) : (
        <div className="pb-2">
          <VirtualList
            label={words.timeline}
            items={lines}
            itemKey={({ entry }) => `${entry.seq}`}
            estimateSize={34}
            divided
            renderItem={(line) => <TimelineLine line={line} />}
          />
        </div>
      )}
    </Panel>
  )
}
