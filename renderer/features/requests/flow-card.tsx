import type { FlowItem, RequestItem } from '../../../server/contract/control-requests.ts'
import { Badge } from '../../components/badge.tsx'
import { Ago } from '../../components/time.tsx'
import { formatTook } from '../../lib/format.ts'
import { StatusBadge } from './status-badge.tsx'

const kinds: Record<FlowItem['kind'], string> = {
  'authorization-code': 'Sign-in with a browser',
  'device-code': 'Sign-in of a device',
  'token-exchange': 'Token exchange',
  refresh: 'Refresh',
  registration: 'App registration',
  'metadata-document': 'Client metadata document',
}

const outcomes = {
  pending: { tone: 'accent', icon: 'queued' },
  completed: { tone: 'ok', icon: 'check' },
  refused: { tone: 'bad', icon: 'cross' },
} as const

export function FlowCard({
  flow,
  onOpen,
}: {
  flow: FlowItem
  onOpen: (request: RequestItem) => void
}) {
  return (
    <article className="rounded-xl border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <Badge tone={outcomes[flow.outcome].tone} icon={outcomes[flow.outcome].icon}>
          {flow.outcome}
        </Badge>
        <h2 className="font-semibold">{kinds[flow.kind]}</h2>
        <span className="max-w-full truncate text-muted">
          {flow.user?.username}
          {flow.user && flow.app && ' at '}
          {flow.app?.name}
        </span>
        <span className="ml-auto text-xs text-muted">
          <Ago time={flow.lastAt} />
        </span>
      </div>
      <p className="px-4 pt-1 pb-2 text-sm text-muted">{flow.explanation}</p>
      <ol className="border-t border-line">
        {flow.requests.map((request) => (
          <li key={request.id} className="border-b border-line/60 last:border-0">
            <button
              type="button"
              onClick={() => onOpen(request)}
              className="flex w-full items-center gap-3 px-4 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <StatusBadge status={request.status} />
              <span className="min-w-0 flex-1 truncate font-mono text-xs">
                <span className="text-faint">{request.method}</span> {request.path}
              </span>
              {request.error && <span className="font-mono text-xs text-bad">{request.error}</span>}
              <span className="text-xs whitespace-nowrap text-muted">
                {formatTook(request.durationMs)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </article>
  )
}
