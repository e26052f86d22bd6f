// Rows are placed one by one (virtual list), which table elements do not allow: hence the grid roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import type { Choice } from '../model/use-choice.ts'
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

interface DeliveryListProps {
  rows: readonly DeliveryRow[]
  selectedId: string | undefined
  markedId: string | undefined
  isBookmarked: (id: string) => boolean
  webhookName: (id: string) => string
  choice: Choice
  onSelect: (id: string) => void
  onMove: (step: number) => void
  /** Called when the newest row is scrolled out of view: new rows must not push the others. */
  onScrollAway: () => void
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
  const { rows, selectedId, markedId, choice, onSelect, onMove, onScrollAway } = props
  const compact = useMediaQuery('(max-width: 40rem)')
  const height = compact ? compactRowHeight : rowHeight
  const Cells = compact ? CompactDeliveryCells : DeliveryCells
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => height,
    // More than a fast wheel scrolls in one frame.
    overscan: 20,
  })
  const selectedIndex = rows.findIndex(({ id }) => id === selectedId)
  useEffect(() => virtualizer.measure(), [virtualizer, height])
  const isListed = selectedIndex >= 0
  useEffect(() => {
    if (isListed) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' })
    // Only a change of the selection scrolls, or that its list was loaded: not new rows around it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selectedId, isListed])
  const items = virtualizer.getVirtualItems()
  const isRendered = items.some(({ index }) => index === selectedIndex)

  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="grid"
        aria-label="Deliveries"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={isRendered ? rowId(selectedId) : undefined}
        tabIndex={0}
        onScroll={(event) => {
          if (event.currentTarget.scrollTop > height) onScrollAway()
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
          if (step === undefined) return
          event.preventDefault()
          onMove(step)
        }}
        className="scroll-quiet min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
      >
        <div role="rowgroup" className="sticky top-0 z-10 bg-canvas">
          <div
            role="row"
            aria-rowindex={1}
            className={classNames(
              columnsClass,
              'h-8 border-b border-line px-3',
              choice.active && 'pl-10',
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
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index]
            if (!row) return null
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
                style={{ height, transform: `translateY(${start}px)` }}
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

function rowId(id: string | undefined): string {
  return `delivery-${id ?? ''}`
}
