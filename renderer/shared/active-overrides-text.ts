import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import type { IconName } from '../ui/icon.tsx'
import { describeMatch } from './fault-text.ts'
import { formatSpan, plural } from '../lib/format.ts'

export interface OverrideNotice {
  kind: 'faults' | 'barriers' | 'devices'
  icon: IconName
  /** Short text of the override. */
  text: string
  /** Shorter text for the tab, without details that bystanders should not read. */
  title: string
  /** Detail of each item. */
  details: string[]
  href: string
}

/** Active overrides besides the clock, in the order of the top bar. */
export function overrideNotices(
  { faults, barriers, devices }: Pick<ActiveOverrides, 'faults' | 'barriers' | 'devices'>,
  now: number,
): OverrideNotice[] {
  const pending = devices.filter(({ expiresAt }) => Date.parse(expiresAt) > now)
  const notices: OverrideNotice[] = [
    {
      kind: 'faults',
      icon: 'warning',
      text: describeFaults(faults),
      title: plural(faults.length, 'fault'),
      details: faults.map(({ match, left }) => `${describeMatch(match)}${describeLeft(left)}`),
      href: '/faults',
    },
    {
      kind: 'barriers',
      icon: 'hold',
      text: describeBarriers(barriers),
      title: plural(barriers.length, 'barrier'),
      details: barriers.map(
        ({ match, held, count }) => `${describeMatch(match)}: ${held} of ${count} held`,
      ),
      href: '/faults',
    },
    {
      kind: 'devices',
      icon: 'screen',
      text:
        pending.length === 1 ? '1 device waiting' : `${plural(pending.length, 'device')} waiting`,
      title: plural(pending.length, 'device'),
      details: pending.map(({ app }) => app.name),
      href: '/devices?state=pending',
    },
  ]
  return notices.filter(({ details }) => details.length > 0)
}

function describeFaults(faults: ActiveOverrides['faults']): string {
  const left = faults.reduce<number | undefined>(
    (sum, fault) => (sum === undefined || fault.left === undefined ? undefined : sum + fault.left),
    0,
  )
  return `${plural(faults.length, 'fault')}${describeLeft(left)}`
}

function describeLeft(left: number | undefined): string {
  return left === undefined ? '' : ` · ${plural(left, 'hit')} left`
}

function describeBarriers(barriers: ActiveOverrides['barriers']): string {
  const held = barriers.reduce((sum, barrier) => sum + barrier.held, 0)
  return `${plural(barriers.length, 'barrier')} ${held === 0 ? 'active' : `holding ${plural(held, 'request')}`}`
}

/** Difference between the clock and a real one: `frozen`, `+2h`, both or none. */
export function clockWords({ frozen, offsetMs }: ActiveOverrides['clock']): string[] {
  const isMoved = Math.abs(offsetMs) >= 1000
  return [
    ...(frozen ? ['frozen'] : []),
    // The offset of a frozen clock grows by itself.
    ...(isMoved && !frozen ? [`${offsetMs > 0 ? '+' : '−'}${formatSpan(Math.abs(offsetMs))}`] : []),
  ]
}
