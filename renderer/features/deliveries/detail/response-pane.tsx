import type { AttemptItem } from '../../../../server/contract/control-deliveries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { MessageView } from './message-view.tsx'
import { words } from '../words.ts'

export function ResponsePane({ attempt }: { attempt: AttemptItem | undefined }) {
  const response = attempt?.response
  if (!response) {
    return <p className="p-4 text-sm text-muted">{describeNoResponse(attempt)}</p>
  }
  const ok = response.status >= 200 && response.status < 300
  const kept = response.encoding === 'utf-8' ? new Blob([response.body]).size : undefined
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Badge tone={ok ? 'ok' : 'bad'} icon={ok ? 'check' : 'cross'}>
          {response.status}
        </Badge>
        {response.truncated
          ? words.truncatedTo(
              kept === undefined ? '' : formatBytes(kept),
              formatBytes(response.size),
            )
          : formatBytes(response.size)}
      </div>
      <MessageView
        name="Response"
        headers={response.headers}
        body={response.body}
        encoding={response.encoding}
      />
    </div>
  )
}

function describeNoResponse(attempt: AttemptItem | undefined): string {
  if (attempt?.jobId !== undefined) return words.jobNoResponse
  return attempt?.error ? words.noResponseBecause(attempt.error.message) : words.noResponseYet
}
