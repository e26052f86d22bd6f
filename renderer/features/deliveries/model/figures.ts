import type { DeliverySummary } from '../../../../server/contract/control-deliveries.ts'
import type { DeliveryResult } from '../../../../server/contract/words/webhook-words.ts'
import { formatCount, formatTook } from '../../../lib/format.ts'
import { percent } from '../../../lib/percent.ts'
import { stateLooks } from './state-look.ts'

/** Number above the list. */
export interface Figure {
  name: string
  value: string
  tone?: string | undefined
  /** Words of the query that lists what the number counts. */
  query?: Readonly<Record<string, string>>
}

const tones: Partial<Record<DeliveryResult, string>> = { failing: 'text-warn', failed: 'text-bad' }

/** Figures above the list. Results without a delivery are left out, but for the first three. */
export function figuresOf(sums: DeliverySummary): Figure[] {
  const { succeeded, failing, failed, pending, cancelled, notRun, skipped } = sums
  const counts = [
    ['succeeded', succeeded],
    ['failing', failing],
    ['failed', failed],
    ['pending', pending],
    ['cancelled', cancelled],
    ['not-run', notRun],
    ['skipped', skipped],
  ] as const
  const results = counts
    .filter(([, count], index) => count > 0 || index < 3)
    .map(([result, count]) => ({
      name: stateLooks[result].word,
      value: formatCount(count),
      tone: count > 0 ? tones[result] : undefined,
      query: { status: result },
    }))
  return [
    ...results,
    { name: 'Success rate', value: percent(sums.successRate) },
    { name: 'At first attempt', value: percent(sums.firstAttemptRate) },
    { name: 'p50', value: took(sums.p50Ms) },
    { name: 'p95', value: took(sums.p95Ms) },
  ]
}

function took(ms: number | undefined): string {
  return ms === undefined ? '–' : formatTook(ms)
}
