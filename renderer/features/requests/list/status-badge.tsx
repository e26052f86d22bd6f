import { Badge } from '../../../ui/badge.tsx'
import { words } from '../words.ts'

export function StatusBadge({ status }: { status: number }) {
  if (status === 0) {
    return (
      <Badge tone="bad" icon="cross">
        {words.truncatedBadge}
      </Badge>
    )
  }
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'accent' : 'ok'
  return <Badge tone={tone}>{status}</Badge>
}
