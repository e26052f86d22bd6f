import type { TriggerResult } from '../../server/contract/control-events.ts'
import { plural } from '../lib/format.ts'
import { words } from './words.ts'

type SkipReason = TriggerResult['skipped'][number]['reason']

const reasons: Record<SkipReason, string> = {
  disabled: words.disabled,
  suspended: words.suspended,
  'not-watched': words.notWatching,
  'domain-filtered': words.otherDomain,
  'quota-exceeded': words.quotaUsed,
  'private-not-visible': words.noAccess,
  'offline-target-blocked': words.publicAddress,
}

/** What a trigger caused, in a few words: `repo.content · update`, or how many events. */
export function describeEvents({ events }: Pick<TriggerResult, 'events'>): string {
  const [first] = events
  return events.length === 1 && first
    ? words.triggered(first.scope, first.action)
    : words.triggeredMany(plural(events.length, 'event'))
}

/** Who hears of it; where nobody does, why. */
export function describeDeliveries(
  { deliveries, skipped }: Pick<TriggerResult, 'deliveries' | 'skipped'>,
  webhookName: (id: string) => string,
): string {
  if (deliveries.length > 0) {
    const rest = skipped.length > 0 ? words.skippedCount(skipped.length) : ''
    return `${plural(deliveries.length, 'delivery', 'deliveries')}${rest}`
  }
  if (skipped.length === 0) return words.noWebhooks
  const causes = new Set(
    skipped.map(({ webhookId, reason }) => `${webhookName(webhookId)} ${reasons[reason]}`),
  )
  return words.nothingDelivered([...causes].join('; '))
}
