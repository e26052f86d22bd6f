import { Link } from 'wouter'
import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { classNames } from '../../../lib/class-names.ts'
import { useParameterText } from '../../../lib/parameters.ts'
import { StatusBadge } from './status-badge.tsx'

interface RequestLineProps {
  request: RequestItem
  /** The open request itself. */
  isOpen?: boolean
  /** Stands right, small. */
  note?: string
}

/** Request as a link, in a list of related ones. */
export function RequestLine({ request, isOpen = false, note }: RequestLineProps) {
  const search = useParameterText()
  return (
    <Link
      href={`/requests/${encodeURIComponent(request.id)}${search}`}
      aria-current={isOpen ? 'true' : undefined}
      title={`${request.method} ${request.path}`}
      className={classNames(
        'flex items-center gap-2 rounded-md px-2 py-1 font-mono text-xs',
        isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <StatusBadge status={request.status} expected={request.expected} />
      <span className="text-faint">{request.method}</span>
      <span className="min-w-0 flex-1 truncate">{request.path}</span>
      {note !== undefined && <span className="whitespace-nowrap text-muted">{note}</span>}
    </Link>
  )
}
