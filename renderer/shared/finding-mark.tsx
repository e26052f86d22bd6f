import { Link } from 'wouter'
import type { AdviceFinding } from '../../server/contract/control-advice.ts'
import { type CheckedThing, useFindingOf } from '../api/advice.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'
import { words } from './words.ts'

/** Appearance of the levels of a finding. */
export const levelLooks: Record<AdviceFinding['level'], { tone: Tone; icon: IconName }> = {
  error: { tone: 'bad', icon: 'warning' },
  warning: { tone: 'warn', icon: 'warning' },
  note: { tone: 'neutral', icon: 'info' },
}

/** Mark of something that a check found a mistake in; leads to the finding. */
export function FindingMark({ of }: { of: CheckedThing }) {
  const finding = useFindingOf(of)
  if (finding === undefined) return null
  const { id, level, rule, title } = finding
  return (
    <Link
      href={`/checks?finding=${id}`}
      title={title}
      aria-label={words.findingMark(level, rule)}
      className="inline-flex max-w-full min-w-0 rounded-md hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      <Badge tone={levelLooks[level].tone} icon={levelLooks[level].icon}>
        {words.check(level)}
      </Badge>
    </Link>
  )
}
