// Rows are placed one by one (virtual list), which table elements do not allow: hence the grid roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Choice } from '../model/use-choice.ts'
import type { VisibleRows } from '../model/use-visible-rows.ts'
import { ChoiceCell } from './choice-cell.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { useMediaQuery } from '../../../lib/media-query.ts'
import {
  columnsClass,
  CompactDeliveryCells,
  compactClass,
  DeliveryCells,
  room,
} from './delivery-row.tsx'
import { words } from '../words.ts'

const rowHeight = 32
const compactRowHeight = 48
const headHeight = 32

interface DeliveryListProps {
  list: VisibleRows
  selectedId: string | undefined
  /** -1 if the list does not have the open delivery. */
  selectedIndex: number
  markedId: string | undefined
  isBookmarked: (id: string) => boolean
  webhookName: (id: string) => string
  choice: Choice
  onSelect: (id: string) => void
  onMove: (step: number) => void
}

const columns: readonly { title: string; className?: string }[] = [
  { title: 'Time' },
  { title: words.state },
  { title: words.result },
  { title: words.event },
  { title: words.repo, className: room.repo },
  { title: words.webhook, className: room.delivery },
  { title: 'Attempt', className: `${room.delivery} text-right` },
  { title: words.durationColumn, className: `${room.delivery} text-right` },
  { title: 'Next', className: room.next },
]

export function DeliveryList(props: DeliveryListProps) {
  const { list, selectedId, selectedIndex, markedId, choice, onSelect, onMove } = props
  const { rowAt, show } = list
  const compact = useMediaQuery('(max-width: 40rem)')
  const height = compact ? compactRowHeight : rowHeight
  // The head is above the rows and stays in view.
  const head = compact ? 0 : headHeight
  const Cells = compact ? CompactDeliveryCells : DeliveryCells
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: list.count,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rowAt(index)?.id ?? index,
    estimateSize: () => height,
    scrollMargin: head,
    scrollPaddingStart: head,
    // More than a fast wheel scrolls in one frame.
    overscan: 20,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, height])
  const isListed = selectedIndex >= 0
  const viewHeight = virtualizer.scrollRect?.height ?? 0
  const isMeasured = viewHeight > 0
  useEffect(() => {
    if (isListed && isMeasured) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' })
    // Only a change of the selection scrolls, or that its place is known: not new rows around it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selectedId, isListed, isMeasured])
  const items = virtualizer.getVirtualItems()
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => show(from, to), [show, from, to])
  const isRendered = items.some(({ index }) => index === selectedIndex)
  useEffect(() => {
    if (isRendered) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' })
    // The sums above the list appear after it and make it lower: a row at its foot stays in view.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [viewHeight])

  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="grid"
        aria-label="Deliveries"
        aria-rowcount={list.count + 1}
        aria-activedescendant={isRendered ? rowId(selectedId) : undefined}
        tabIndex={0}
        onScroll={(event) => {
          // New rows must not push the others.
          if (event.currentTarget.scrollTop > height) list.pause()
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
          if (step === undefined) return
          event.preventDefault()
          onMove(step)
        }}
        className="scroll-quiet min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
      >
        <ListHead compact={compact} choosing={choice.active} />
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rowAt(index)
            if (!row)
              return <LoadingRow key={key} index={index} start={start - head} height={height} />
            const selected = row.id === selectedId
            return (
              // The grid around it has the focus and the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={key}
                id={rowId(row.id)}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selected}
                onClick={() => onSelect(row.id)}
                style={{ height, transform: `translateY(${start - head}px)` }}
                className={classNames(
                  compact ? compactClass : columnsClass,
                  'absolute top-0 left-0 w-full cursor-pointer border-b border-line/50 px-3 text-sm',
                  choice.active && 'pl-10',
                  selected
                    ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]'
                    : 'hover:bg-hover/60',
                  row.state === 'skipped' && !selected && 'italic',
                )}
              >
                {choice.active && <ChoiceCell row={row} choice={choice} />}
                <Cells
                  row={row}
                  webhookName={
                    row.audit === undefined
                      ? props.webhookName(row.webhookId)
                      : words.auditOf(row.audit)
                  }
                  marked={row.id === markedId}
                  bookmarked={props.isBookmarked(row.id)}
                />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function ListHead({ compact, choosing }: { compact: boolean; choosing: boolean }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-canvas">
      <div
        role="row"
        aria-rowindex={1}
        className={classNames(
          columnsClass,
          'h-8 border-b border-line px-3',
          choosing && 'pl-10',
          compact && 'hidden!',
        )}
      >
        {columns.map(({ title, className = '' }) => (
          <span
            key={title}
            role="columnheader"
            className={classNames('eyebrow truncate', className)}
          >
            {title === words.state ? <span className="sr-only">{words.state}</span> : title}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Place of a row that is being read. */
function LoadingRow({ index, start, height }: { index: number; start: number; height: number }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy
      style={{ height, transform: `translateY(${start}px)` }}
      className="absolute top-0 left-0 flex w-full items-center border-b border-line/50 px-3"
    >
      <span role="gridcell" className="h-2 w-1/3 rounded bg-sunken">
        <span className="sr-only">Loading</span>
      </span>
    </div>
  )
}

function rowId(id: string | undefined): string {
  return `delivery-${id ?? ''}`
}
