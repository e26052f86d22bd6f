import type { TriggerResult } from '../../server/contract/control-events.ts'
import { plural } from '../lib/format.ts'

type SkipReason = TriggerResult['skipped'][number]['reason']

const reasons: Record<SkipReason, string> = {
  disabled: 'is disabled',
  suspended: 'is suspended after failures',
  'not-watched': 'does not watch this repo',
  'domain-filtered': 'does not listen to this kind of event',
  'quota-exceeded': 'has used up its deliveries of the last 24 hours',
  'private-not-visible': 'may not see this private repo',
  'offline-target-blocked': 'calls a public address, which needs --allow-network',
}

/** What a trigger caused, in a few words: `repo.content · update`, or how many events. */
export function describeEvents({ events }: Pick<TriggerResult, 'events'>): string {
  const [first] = events
  return events.length === 1 && first
    ? `${first.scope} · ${first.action} was caused`
    : `${plural(events.length, 'event')} were caused`
}

/** Who hears of it; where nobody does, why. */
export function describeDeliveries(
  { deliveries, skipped }: Pick<TriggerResult, 'deliveries' | 'skipped'>,
  webhookName: (id: string) => string,
): string {
  if (deliveries.length > 0) {
    const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    return `${plural(deliveries.length, 'delivery', 'deliveries')}${rest}`
  }
  if (skipped.length === 0) return 'Nothing was delivered: there is no webhook.'
  const causes = new Set(
    skipped.map(({ webhookId, reason }) => `${webhookName(webhookId)} ${reasons[reason]}`),
  )
  return `Nothing was delivered: ${[...causes].join('; ')}.`
}
