import type { LiveEntry } from '../../../../server/contract/live.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { formatCount, formatTime } from '../../../lib/format.ts'
import { words } from '../words.ts'

interface FailedPointerProps {
  /** Newest first. */
  failed: readonly LiveEntry[]
  only: boolean
  onOnly: (only: boolean) => void
}

/** Number of failures, with a button that shows only them. */
export function FailedPointer({ failed, only, onOnly }: FailedPointerProps) {
  const first = failed.at(-1)
  if (first === undefined && !only) return null
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-lg bg-bad-soft px-2.5 py-1.5 text-sm">
      <Icon name="warning" className="size-4 text-bad" />
      <span className="min-w-0 flex-1">
        {first === undefined
          ? words.nothingFailed
          : words.failedSince(formatCount(failed.length), formatTime(first.time))}
      </span>
      <Button size="small" aria-pressed={only} onClick={() => onOnly(!only)}>
        {only ? words.showAll : words.show}
        {!only && <span className="sr-only"> {words.failuresOnly}</span>}
      </Button>
    </p>
  )
}
