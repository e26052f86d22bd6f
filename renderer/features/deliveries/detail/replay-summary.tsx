import type { ReplayedMany } from '../../../../server/contract/control-deliveries.ts'
import { Chip } from '../../../ui/badge.tsx'
import { formatCount } from '../../../lib/format.ts'
import { countOutcomes } from '../model/replay-outcome.ts'

/** Counts of successful and other replays. */
export function ReplaySummary({ result }: { result: ReplayedMany }) {
  const { items, succeeded, failed, refused } = result
  const facts = [
    [succeeded, 'succeeded'],
    [failed, 'failed'],
    [refused, 'not sent'],
  ] as const
  return (
    <>
      <span className="font-medium">
        {formatCount(items.length)} requested:{' '}
        {facts
          .filter(([count]) => count > 0)
          .map(([count, word]) => `${formatCount(count)} ${word}`)
          .join(', ')}
      </span>
      <span className="flex flex-wrap gap-1 pt-1.5">
        {countOutcomes(result).map(([word, count]) => (
          <Chip key={word}>
            {word} × {formatCount(count)}
          </Chip>
        ))}
      </span>
    </>
  )
}
