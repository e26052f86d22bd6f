import type { AttemptItem } from '../../../../server/contract/control-deliveries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { MessageView } from './message-view.tsx'
import { words } from '../words.ts'

export function ResponsePane({ attempt }: { attempt: AttemptItem | undefined }) {
  const response = attempt?.response
  if (!response) {
    return attempt?.error ? (
      <div className="p-4">
        <AttemptFailure attempt={attempt} />
      </div>
    ) : (
      <p className="p-4 text-sm text-muted">{describeNoResponse(attempt)}</p>
    )
  }
  const ok = response.status >= 200 && response.status < 300
  const kept = response.encoding === 'utf-8' ? new Blob([response.body]).size : undefined
  return (
    <div className="flex flex-col gap-3 p-4">
      {attempt.error && <AttemptFailure attempt={attempt} />}
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

/** Error of an attempt, and how to fix it. */
function AttemptFailure({ attempt: { error, explanation } }: { attempt: AttemptItem }) {
  if (error === undefined) return null
  return (
    <div className="flex gap-2.5 rounded-lg bg-bad-soft p-3">
      <Icon name="info" className="mt-0.5 size-4 text-bad" />
      <div className="min-w-0">
        <p className="font-mono text-sm font-semibold text-bad">{error.class}</p>
        <p className="text-sm break-words">{error.message}</p>
        {explanation && <p className="pt-1 text-sm text-muted">{explanation}</p>}
      </div>
    </div>
  )
}

function describeNoResponse(attempt: AttemptItem | undefined): string {
  return attempt?.jobId === undefined
    ? 'No response yet.'
    : 'The webhook starts a job, so there is no response.'
}
