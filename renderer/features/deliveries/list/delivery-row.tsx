// Rows are placed one by one (virtual list), which table elements do not allow: hence the grid roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { DeliveryRow as Row } from '../../../api/delivery-rows.ts'
import { toneText } from '../../../ui/badge.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Countdown, Moment } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { lookOf, outcomeWord, tookText } from '../model/state-look.ts'
import { words } from '../words.ts'

/** Columns that fit, most distinctive first: beside an open delivery all but the repo. */
export const columnsClass = classNames(
  'grid items-center gap-x-3',
  'grid-cols-[5.75rem_1.25rem_4.5rem_minmax(5.5rem,1.1fr)_minmax(4.25rem,1fr)]',
  '@xl:grid-cols-[5.75rem_1.25rem_4.5rem_minmax(5rem,1.6fr)_minmax(3.25rem,1fr)_4rem_4.5rem]',
  '@3xl:grid-cols-[5.75rem_1.25rem_5rem_minmax(7rem,1.2fr)_minmax(5rem,1fr)_minmax(5rem,1fr)_4rem_4.5rem]',
  '@5xl:grid-cols-[5.75rem_1.25rem_5.5rem_minmax(10rem,1.1fr)_minmax(8rem,1fr)_minmax(8rem,1fr)_4rem_4.75rem_5.5rem]',
)

/** Two lines instead of nine columns, for a phone. */
export const compactClass =
  'grid grid-cols-[1.25rem_minmax(0,1fr)_auto] grid-rows-2 items-center gap-x-3 py-1'

const repoIcons: ReadonlyMap<string, IconName> = new Map(
  Object.entries<IconName>({
    model: 'model',
    dataset: 'dataset',
    space: 'space',
    bucket: 'bucket',
  }),
)

/** Widths from which each column is shown. A list without room for the webhook has room for the repo. */
export const room = {
  repo: '@xl:hidden @3xl:flex',
  delivery: 'hidden @xl:block',
  next: 'hidden @5xl:block',
} as const

interface DeliveryRowProps {
  row: Row
  webhookName: string
  marked: boolean
  bookmarked: boolean
}

export function DeliveryCells({ row, webhookName, marked, bookmarked }: DeliveryRowProps) {
  const look = lookOf(row)
  const tone = toneText[look.tone]
  return (
    <>
      <span role="gridcell" className="truncate text-xs text-muted">
        <Moment time={row.createdAt} />
      </span>
      <span role="gridcell" className={tone} title={look.word}>
        <Icon name={look.icon} className="size-4" />
        <span className="sr-only">{look.word}</span>
      </span>
      <span role="gridcell" className={classNames('truncate font-mono text-xs', tone)}>
        {outcomeWord(row)}
      </span>
      <span role="gridcell" className="flex min-w-0 items-center gap-1.5">
        <span className="truncate font-mono text-xs">
          {row.scope}
          <span className="text-faint"> · {row.action}</span>
        </span>
        {row.derivedFrom && (
          <RowMark
            icon={row.duplicate ? 'repo' : 'edit'}
            label={row.duplicate ? 'Duplicate' : 'Edited replay'}
          />
        )}
        {row.audit !== undefined && <RowMark icon="eye" label={words.auditOf(row.audit)} />}
        {row.synthetic && <RowMark icon="trigger" label="Payload only, without a change" />}
        {marked && <RowMark icon="copy" label="Marked for comparison" />}
        {bookmarked && <RowMark icon="bookmark" label="Bookmarked" />}
      </span>
      <span
        role="gridcell"
        className={classNames('flex min-w-0 items-center gap-1.5 text-muted', room.repo)}
      >
        <Icon name={repoIcons.get(row.repoType) ?? 'repo'} className="size-3.5 text-faint" />
        <span className="truncate">{row.repo}</span>
      </span>
      <span role="gridcell" className={classNames(room.delivery, 'truncate text-muted')}>
        {webhookName}
      </span>
      <span role="gridcell" className={classNames(room.delivery, 'text-right text-xs text-muted')}>
        {row.attempts > 0 ? row.attempts : '–'}
      </span>
      <span
        role="gridcell"
        className={classNames(room.delivery, 'text-right text-xs whitespace-nowrap text-muted')}
      >
        {tookText(row)}
      </span>
      <span role="gridcell" className={classNames(room.next, 'truncate text-xs text-warn')}>
        {row.nextRetryAt && (
          <>
            in <Countdown time={row.nextRetryAt} past={words.aMoment} />
          </>
        )}
      </span>
    </>
  )
}

function RowMark({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span title={label} className="text-faint">
      <Icon name={icon} className="size-3" />
      <span className="sr-only">{label}</span>
    </span>
  )
}

export function CompactDeliveryCells({ row, webhookName }: DeliveryRowProps) {
  const look = lookOf(row)
  const tone = toneText[look.tone]
  return (
    <>
      <span role="gridcell" className={classNames('row-span-2', tone)}>
        <Icon name={look.icon} className="size-4" />
        <span className="sr-only">{look.word}</span>
      </span>
      <span role="gridcell" className="truncate font-mono text-xs">
        {row.scope}
        <span className="text-faint"> · {row.action}</span>
      </span>
      <span role="gridcell" className={classNames('text-right font-mono text-xs', tone)}>
        {outcomeWord(row)}
      </span>
      <span role="gridcell" className="truncate text-xs text-muted">
        {row.repo} → {webhookName}
      </span>
      <span role="gridcell" className="text-right text-xs text-faint">
        <Moment time={row.createdAt} />
      </span>
    </>
  )
}
