import { withChoices } from '../../../../server/contract/query/edit-query.ts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode, RefObject } from 'react'
import { Framed } from '../../../ui/frame.tsx'
import { NoMatch } from '../../../ui/states.tsx'
import { saveFile } from '../../../lib/save-file.ts'
import { exportDeliveries } from '../model/export-deliveries.ts'
import { withSpan } from '../model/time-span.ts'
import type { BoardView } from '../model/use-delivery-view.ts'
import type { Choice } from '../model/use-choice.ts'
import type { Selection } from '../model/use-selection.ts'
import type { VisibleRows } from '../model/use-visible-rows.ts'
import { ActivityChart } from './activity-chart.tsx'
import { ChoiceBar } from './choice-bar.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { FilterBar } from './filter-bar.tsx'

interface DeliveryBoardProps {
  view: BoardView
  list: VisibleRows
  selection: Selection
  choice: Choice
  selectedId: string | undefined
  isBookmarked: (id: string) => boolean
  webhookName: (id: string) => string
  filterInput: RefObject<HTMLInputElement | null>
  /** Open delivery, beside the list. */
  detail: ReactNode
}

/** Chart, filter and rows of the deliveries. */
export function DeliveryBoard(props: DeliveryBoardProps) {
  const { view, list, selection, choice, detail } = props
  const { sums } = list
  const exporting = useMutation({
    mutationFn: () => exportDeliveries(list.filters, list.shownCursor),
    onSuccess: (lines) => saveFile('deliveries.ndjson', lines),
    meta: { failed: 'Could not export the deliveries' },
  })
  return (
    <>
      {sums && (
        <ActivityChart
          sums={sums}
          onSpan={(from, to) => view.setText(withSpan(view.text, from, to))}
          onShow={(words) => view.setText(withChoices(view.text, words))}
        />
      )}
      <FilterBar
        inputRef={props.filterInput}
        text={view.text}
        onText={view.setText}
        known={list.known}
        issues={list.issues}
        state={view.state}
        onState={view.setState}
        skipped={view.skipped}
        onSkipped={view.setSkipped}
        audited={view.audited}
        onAudited={view.setAudited}
        live={list.live}
        onLive={(live) => (live ? list.resume() : list.pause())}
        waitingCount={list.waitingCount}
        shown={list.count}
        onExport={() => exporting.mutate()}
        exporting={exporting.isPending}
        listed={list.listed}
        choosing={choice.active}
        onChoosing={choice.setActive}
      />
      {choice.active && <ChoiceBar choice={choice} />}
      <div className="-mx-4 flex min-h-64 flex-1 border-t border-line sm:-mx-6">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {list.count === 0 ? (
            <Framed>
              <NoMatch what="deliveries" onClear={view.clear} />
            </Framed>
          ) : (
            <DeliveryList
              list={list}
              selectedId={props.selectedId}
              selectedIndex={selection.selectedIndex}
              markedId={view.markedId}
              isBookmarked={props.isBookmarked}
              webhookName={props.webhookName}
              choice={choice}
              onSelect={selection.open}
              onMove={selection.move}
            />
          )}
        </div>
        {detail && (
          <div className="min-h-0 w-[44%] max-w-180 shrink-0 border-l border-line bg-surface">
            {detail}
          </div>
        )}
      </div>
    </>
  )
}
