import { Link } from 'wouter'
import type { AdviceFinding } from '../../server/contract/control-advice.ts'
import { type CheckedThing, useFindingOf } from '../api/advice.ts'
import { classNames } from '../lib/class-names.ts'
import { Badge, toneText, type Tone } from '../ui/badge.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { words } from './words.ts'

/** Appearance of the levels of a finding. */
export const levelLooks: Record<AdviceFinding['level'], { tone: Tone; icon: IconName }> = {
  error: { tone: 'bad', icon: 'warning' },
  warning: { tone: 'warn', icon: 'warning' },
  note: { tone: 'neutral', icon: 'info' },
}

interface FindingMarkProps {
  of: CheckedThing
  /** Without its word, in the row of a table. */
  isSmall?: boolean
}

/** Mark of something that a check found a mistake in; leads to the finding. */
export function FindingMark({ of, isSmall = false }: FindingMarkProps) {
  const finding = useFindingOf(of)
  if (finding === undefined) return null
  const { id, level, rule, title } = finding
  return (
    <Link
      href={`/findings?finding=${id}`}
      title={title}
      aria-label={words.findingMark(level, rule)}
      className="inline-flex max-w-full min-w-0 rounded-md hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      <Badge tone={levelLooks[level].tone} icon={levelLooks[level].icon}>
        {isSmall ? undefined : { error: 'Mistake', warning: 'Warning', note: 'Note' }[level]}
      </Badge>
    </Link>
  )
}

/** The same inside of a link to the thing, which has the mark itself. */
export function FindingSign({ of }: { of: CheckedThing }) {
  const finding = useFindingOf(of)
  if (finding === undefined) return null
  const { level, rule, title } = finding
  return (
    <span title={title} className={classNames('shrink-0', toneText[levelLooks[level].tone])}>
      <Icon name={levelLooks[level].icon} className="size-3.5" />
      <span className="sr-only">{words.findingMark(level, rule)}</span>
    </span>
  )
}
