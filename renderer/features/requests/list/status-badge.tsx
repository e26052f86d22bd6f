import { Badge } from '../../../ui/badge.tsx'

export function StatusBadge({ status }: { status: number }) {
  if (status === 0) {
    return (
      <Badge tone="bad" icon="cross">
        cut
      </Badge>
    )
  }
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'accent' : 'ok'
  return <Badge tone={tone}>{status}</Badge>
}
