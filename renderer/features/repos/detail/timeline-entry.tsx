import type { TimelineItem } from '../../../../server/contract/control-repo-contents.ts'
import { Moment } from '../../../ui/time.tsx'
import { Document } from './document.tsx'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** Comment, or a line for any other entry. */
export function TimelineEntry({ entry }: { entry: TimelineItem }) {
  const { type, author, createdAt, html, hidden, editedAt } = entry
  const name = author?.username ?? 'the Hub'
  if (type !== 'comment') {
    return (
      <p className="text-xs text-muted">
        {name} {visibleControls(describe(entry))} · <Moment time={createdAt} />
      </p>
    )
  }
  return (
    <article className="rounded-lg border border-line p-3">
      <p className="pb-1 text-xs text-muted">
        <span className="font-medium text-ink">{name}</span> · <Moment time={createdAt} />
        {editedAt && ' · edited'}
      </p>
      {hidden ? (
        <p className="text-sm text-faint italic">This comment was hidden.</p>
      ) : html ? (
        <Document html={html} />
      ) : (
        <p className="text-sm">No description.</p>
      )}
    </article>
  )
}

function describe({
  type,
  status = '',
  from = '',
  to = '',
  subject = '',
  oid = '',
}: TimelineItem): string {
  if (type === 'status-change') return `changed the status to ${status}`
  if (type === 'title-change') return `changed the title from “${from}” to “${to}”`
  return `committed “${subject}” (${oid.slice(0, 7)})`
}
