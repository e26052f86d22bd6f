import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import type { IconName } from '../ui/icon.tsx'
import { describeMatch } from './fault-text.ts'
import { formatSpan, plural } from '../lib/format.ts'
import { words } from './words.ts'

export interface OverrideNotice {
  kind: 'faults' | 'barriers' | 'devices'
  icon: IconName
  /** What is in force, to be read at a glance. */
  text: string
  /** Shorter, and without what others may not read over a shoulder: for the tab. */
  title: string
  /** One for each of them, to tell them apart. */
  details: string[]
  href: string
}

/** What is in force besides the clock, in the order of the top bar. */
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
      details: barriers.map(({ match, held, count }) =>
        words.heldOf(describeMatch(match), held, count),
      ),
      href: '/faults',
    },
    {
      kind: 'devices',
      icon: 'screen',
      text:
        pending.length === 1
          ? words.oneDeviceWaiting
          : words.devicesWaiting(plural(pending.length, 'device')),
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
  return left === undefined ? '' : ` · ${words.hitsLeft(plural(left, 'hit'))}`
}

function describeBarriers(barriers: ActiveOverrides['barriers']): string {
  const held = barriers.reduce((sum, barrier) => sum + barrier.held, 0)
  return words.barriersHold(
    plural(barriers.length, 'barrier'),
    held === 0 ? words.armed : words.requestsHeld(plural(held, 'request')),
  )
}

/** How the clock differs from a real one: `frozen`, `+2h`, both; nothing where it does not. */
export function clockWords({ frozen, offsetMs }: ActiveOverrides['clock']): string[] {
  const isMoved = Math.abs(offsetMs) >= 1000
  return [
    ...(frozen ? ['frozen'] : []),
    // Of a frozen one the offset grows by itself, and tells nothing.
    ...(isMoved && !frozen ? [`${offsetMs > 0 ? '+' : '−'}${formatSpan(Math.abs(offsetMs))}`] : []),
  ]
}
