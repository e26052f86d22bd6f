import { Badge } from '../../../ui/badge.tsx'

/** @param expected whether an error is a normal step of the protocol */
export function StatusBadge({
  status,
  expected = false,
}: {
  status: number
  expected?: boolean | undefined
}) {
  if (expected) return <Badge>{status}</Badge>
  if (status === 0) {
    return (
      <Badge tone="bad" icon="cross">
        truncated
      </Badge>
    )
  }
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'accent' : 'ok'
  return <Badge tone={tone}>{status}</Badge>
}
