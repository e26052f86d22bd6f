import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { formatTime, plural } from '../../../lib/format.ts'
import type { ActivityLine } from '../model/activity-lines.ts'
import { words } from '../words.ts'

interface IssuePointerProps {
  /** Newest first. */
  issues: readonly ActivityLine[]
  only: boolean
  onOnly: (only: boolean) => void
}

/** Number of issues, with a button that shows only them. */
export function IssuePointer({ issues, only, onOnly }: IssuePointerProps) {
  const starts = issues.map(({ entry, since }) => since ?? entry.time)
  const first = starts.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
  if (first === undefined && !only) return null
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-lg bg-bad-soft px-2.5 py-1.5 text-sm">
      <Icon name="warning" className="size-4 text-bad" />
      <span className="min-w-0 flex-1">
        {first === undefined
          ? words.noIssues
          : `${plural(issues.length, 'issue')} since ${formatTime(first)}`}
      </span>
      <Button size="small" aria-pressed={only} onClick={() => onOnly(!only)}>
        {only ? 'Show all' : 'Show issues only'}
      </Button>
    </p>
  )
}
