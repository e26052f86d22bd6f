import { Cron } from 'croner'
import { latestClockMs } from '../../contract/fixtures/limits.ts'
import { dateOf } from '../../core/time.ts'

const names: readonly string[] = [
  '@annually',
  '@yearly',
  '@monthly',
  '@weekly',
  '@daily',
  '@hourly',
]
const longestSchedule = 100

/** Describes the mistake in a schedule; `undefined` for a valid one. */
export function findScheduleProblem(schedule: string): string | undefined {
  const shown = JSON.stringify(schedule.slice(0, longestSchedule))
  const isCron = schedule.length <= longestSchedule && schedule.trim().split(/\s+/).length === 5
  if (!names.includes(schedule) && !isCron) {
    return `Invalid schedule ${shown}: use ${names.join(', ')} or five cron fields such as "0 9 * * 1".`
  }
  try {
    return nextRun(schedule, 0) === undefined ? `The schedule ${shown} has no date.` : undefined
  } catch (error) {
    return `Invalid schedule ${shown}: ${error instanceof Error ? error.message : String(error)}.`
  }
}

/**
 * Returns the first time of a valid schedule after another time, in milliseconds. Schedules are in UTC.
 * @returns `undefined` beyond the last time of the clock
 */
export function nextRun(schedule: string, after: number): number | undefined {
  const next = new Cron(schedule, { timezone: 'UTC' }).nextRun(dateOf(after))?.getTime()
  return next === undefined || next > latestClockMs ? undefined : next
}
