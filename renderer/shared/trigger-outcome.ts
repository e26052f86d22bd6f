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

/** Triggered events in a few words: `repo.content · update`, or their number. */
export function describeEvents({ events }: Pick<TriggerResult, 'events'>): string {
  const [first] = events
  return events.length === 1 && first
    ? words.triggered(first.scope, first.action)
    : words.triggeredMany(plural(events.length, 'event'))
}

/** Webhooks that receive it, or the reasons why none does. */
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
