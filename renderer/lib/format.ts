import { durationUnitsMs } from '../../server/contract/durations.ts'

const units = (['d', 'h', 'm', 's'] as const).map((name) => [name, durationUnitsMs[name]] as const)

/** Two largest units at most: 93_784_000 → `1d 2h`, 61_000 → `1m 1s`. */
export function formatSpan(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1000) * 1000)
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count}${name}`)
    else if (parts.length > 0) break
    rest -= count * size
    if (parts.length === 2) break
  }
  return parts.join(' ') || '0s'
}

/** Coarse and short, for columns: `now`, `42s`, `5m`, `3h`, `12d`; a sign of its own for the future. */
export function formatAgo(ms: number): string {
  if (ms < -1000) return `in ${formatSpan(-ms)}`
  if (ms < 1000) return 'now'
  for (const [name, size] of units) if (ms >= size) return `${Math.floor(ms / size)}${name} ago`
  return 'now'
}

/** Duration in whole milliseconds below a second: fractions are noise on loopback. */
export function formatTook(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  return formatSpan(ms)
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}

/** Times and numbers are written in English, as all texts are, also in a browser of another language. The time zone is that of the browser. */
const locale = 'en-US'

const dateTime = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
})
const timeOnly = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
export function formatDateTime(time: string | number): string {
  return dateTime.format(new Date(time))
}

const instant = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

/** Time to the millisecond, to tell close events apart. */
export function formatInstant(time: string): string {
  return instant.format(new Date(time))
}

const dayOf = (time: number) => new Date(time).toDateString()
const shortDate = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const datedDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const yearOf = (time: number) => new Date(time).getFullYear()

/** Time of day on the day of `now`, else with the date, in another year the date alone: tells rows apart that are close, as `1m ago` does not. */
export function formatMoment(time: number, now: number): string {
  if (dayOf(time) === dayOf(now)) return formatTime(time)
  return (yearOf(time) === yearOf(now) ? shortDate : datedDay).format(new Date(time))
}

const dayOnly = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' })

/** `Nov 30`, for an axis. */
export function formatDay(time: string | number): string {
  return dayOnly.format(new Date(time))
}

export function formatTime(time: string | number): string {
  return timeOnly.format(new Date(time))
}

const counts = new Intl.NumberFormat(locale)

export function formatCount(count: number): string {
  return counts.format(count)
}

/** `1 webhook`, `2 webhooks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** First and last characters of an id or token: enough to tell two apart. */
export function shorten(text: string, head = 8, tail = 4): string {
  return text.length <= head + tail + 1
    ? text
    : `${text.slice(0, head)}…${text.slice(text.length - tail)}`
}
