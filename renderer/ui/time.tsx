import { formatAgo, formatDateTime, formatMoment, formatSpan } from '../lib/format.ts'
import { useSandboxNow } from '../lib/sandbox-clock.ts'

/** How long ago, on the sandbox clock; the full time on hover. */
export function Ago({ time }: { time: string | number }) {
  const now = useSandboxNow()
  const at = new Date(time)
  return (
    <time
      dateTime={at.toISOString()}
      title={formatDateTime(at.getTime())}
      className="whitespace-nowrap"
    >
      {formatAgo(now - at.getTime())}
    </time>
  )
}

/** Time of a row in a list, on the sandbox clock; the full time on hover. */
export function Moment({ time }: { time: string }) {
  const now = useSandboxNow()
  const at = Date.parse(time)
  return (
    <time dateTime={time} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatMoment(at, now)}
    </time>
  )
}

/** Counts down to `time` on the sandbox clock. */
export function Countdown({ time, past = 'due' }: { time: string | number; past?: string }) {
  const now = useSandboxNow()
  const at = new Date(time)
  const rest = at.getTime() - now
  return (
    <time
      dateTime={at.toISOString()}
      title={formatDateTime(at.getTime())}
      className="whitespace-nowrap"
    >
      {rest > 0 ? formatSpan(rest) : past}
    </time>
  )
}
