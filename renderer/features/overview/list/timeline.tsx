import type { ReactNode } from 'react'
import { factKinds } from '../../../../server/contract/fact-kinds.ts'
import { Panel } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Toggles } from '../../../ui/toggles.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { useFlag, useParameter } from '../../../lib/parameters.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { activityLines } from '../model/activity-lines.ts'
import { FailedPointer } from './failed-pointer.tsx'
import { filterFacts, isEmpty, parseKinds, spanNames } from '../model/timeline-filter.ts'
import { TimelineLine } from './timeline-line.tsx'
import { useEntryNames, useTimeline } from '../model/use-timeline.ts'
import { words } from '../words.ts'

/** Timeline of all activity. */
export function Timeline({ firstSteps }: { firstSteps: ReactNode }) {
  const entries = useTimeline()
  const names = useEntryNames()
  const now = useSandboxNow()
  const [span, setSpan] = useParameter('last', spanNames)
  const [kindText, setKinds] = useParameter('kinds')
  const [failedOnly, setFailedOnly] = useFlag('failed')
  const kinds = parseKinds(kindText)
  const { shown, failed } = filterFacts(entries, { span, kinds, failedOnly }, now)
  const lines = activityLines(shown, names)
  const start = entries.findLast(({ type }) => type.startsWith('sandbox.'))
  const all = start?.type === 'sandbox.reset' ? words.sinceTheReset : words.sinceTheStart
  return (
    <Panel
      title={words.timeline}
      lead={words.timelineLead}
      actions={
        <Segments
          label={words.time}
          value={span}
          onChange={setSpan}
          options={[
            { value: '5m', label: words.last5Minutes },
            { value: '1h', label: words.lastHour },
            { value: 'all', label: all },
          ]}
        />
      }
      flush
    >
      {isEmpty(entries) && firstSteps}
      <div className="flex flex-col gap-2 px-4 pb-2">
        <Toggles
          label={words.kindsOfActivity}
          options={factKinds}
          chosen={kinds}
          onChange={(next) => setKinds(next.join(','))}
        />
        <FailedPointer failed={failed} only={failedOnly} onOnly={setFailedOnly} />
      </div>
      {lines.length === 0 ? (
        <p className="px-4 pt-2 pb-6 text-sm text-muted">
          {entries.length === 0 ? words.noActivity : words.noMatchingActivity}
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
