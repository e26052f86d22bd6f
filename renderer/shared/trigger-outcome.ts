import type { TriggerResult } from '../../server/contract/control-events.ts'
import { plural } from '../lib/format.ts'

type SkipReason = TriggerResult['skipped'][number]['reason']

const reasons: Record<SkipReason, string> = {
  disabled: 'is disabled',
  suspended: 'is suspended after failures',
  'not-watched': 'does not watch this repo',
  'domain-filtered': 'does not watch this kind of event',
  'quota-exceeded': 'has used its quota for the last 24 hours',
  'private-not-visible': 'has no access to this private repo',
  'offline-target-blocked': 'calls a public address, which requires --allow-network',
}

/** Triggered events in a few words: `repo.content · update`, or their number. */
export function describeEvents({ events }: Pick<TriggerResult, 'events'>): string {
  const [first] = events
  return events.length === 1 && first
    ? `Triggered ${first.scope} · ${first.action}`
    : `Triggered ${plural(events.length, 'event')}`
}

/** Webhooks that receive it, or the reasons why none does. */
export function describeDeliveries(
  { deliveries, skipped }: Pick<TriggerResult, 'deliveries' | 'skipped'>,
  webhookName: (id: string) => string,
): string {
  if (deliveries.length > 0) {
    const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    return `${plural(deliveries.length, 'delivery', 'deliveries')}${rest}`
  }
  if (skipped.length === 0) return 'Nothing was delivered: there are no webhooks.'
  const causes = new Set(
    skipped.map(({ webhookId, reason }) => `${webhookName(webhookId)} ${reasons[reason]}`),
  )
  return `Nothing was delivered: ${[...causes].join('; ')}.`
}
