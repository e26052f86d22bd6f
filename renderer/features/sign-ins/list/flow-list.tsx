import { Link } from 'wouter'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { Badge, toneText } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, MoreThanShown, NoMatch } from '../../../ui/states.tsx'
import { Moment } from '../../../ui/time.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useClearParameters, useParameterText } from '../../../lib/parameters.ts'
import { FindingSign } from '../../../shared/finding-mark.tsx'
import { lookOf } from '../../../shared/flow-looks.ts'
import { kindTitles, words as sharedWords } from '../../../shared/words.ts'
import { rowText } from '../model/row-text.ts'
import { words } from '../words.ts'

interface FlowListProps {
  flows: readonly FlowItem[]
  /** Flow shown beside the list. */
  shownId: string | undefined
  cut: boolean
  /** Number of flows without the filter. */
  loaded: number
}

/** Flows, newest first. */
export function FlowList({ flows, shownId, cut, loaded }: FlowListProps) {
  const search = useParameterText()
  const clear = useClearParameters()
  if (loaded === 0) {
    return (
      <Empty icon="connected" title="No sign-ins in the log">
        Older ones may have been dropped.
      </Empty>
    )
  }
  if (flows.length === 0) {
    return <NoMatch what="sign-ins" onClear={clear} />
  }
  return (
    <div data-scroller className="scroll-quiet min-h-0 flex-1 overflow-y-auto">
      <VirtualList
        label={words.signIns}
        items={flows}
        itemKey={({ id }) => id}
        estimateSize={62}
        divided
        renderItem={(flow) => <FlowRow flow={flow} isShown={flow.id === shownId} search={search} />}
      />
      {cut && <MoreThanShown shown={flows.length} />}
    </div>
  )
}

interface FlowRowProps {
  flow: FlowItem
  isShown: boolean
  search: string
}

function FlowRow({ flow, isShown, search }: FlowRowProps) {
  const look = lookOf(flow)
  return (
    <Link
      href={`/sign-ins/${encodeURIComponent(flow.id)}${search}`}
      aria-current={isShown ? 'true' : undefined}
      className={classNames(
        'grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2 px-4 py-2.5 focus-visible:-outline-offset-2',
        isShown ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover',
      )}
    >
      <span className={classNames('row-span-2 pt-0.5', toneText[look.tone])}>
        <Icon name={look.icon} />
        <span className="sr-only">{look.word}: </span>
      </span>
      <span className="flex items-center gap-1.5">
        <span className="truncate font-medium">{kindTitles[flow.kind]}</span>
        {flow.audit && <Badge>{sharedWords.audit}</Badge>}
        <FindingSign of={{ flowId: flow.id }} />
      </span>
      <span className="pl-1 text-right text-xs text-muted">
        <Moment time={flow.lastAt} />
      </span>
      <span title={rowText(flow)} className="col-span-2 truncate text-xs text-muted">
        {flow.changed && (
          <span className="mr-1 text-warn">
            <Icon name="warning" className="mr-1 inline size-3" />
            {sharedWords.changedByFault}
          </span>
        )}
        {rowText(flow)}
      </span>
    </Link>
  )
}
