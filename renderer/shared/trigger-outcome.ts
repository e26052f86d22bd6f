import type { TriggerResult } from '../../server/contract/control-events.ts'
import { plural, shorten } from '../lib/format.ts'

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
  const nameOf = (id: string) => shorten(webhookName(id), 40, 12)
  if (deliveries.length > 0) {
    const ids = new Set(deliveries.map(({ webhookId }) => webhookId))
    const receivers = listNames([...ids].map(nameOf))
    const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    return `${plural(deliveries.length, 'delivery', 'deliveries')} to ${receivers}${rest}`
  }
  if (skipped.length === 0) return 'Nothing was delivered: there are no webhooks.'
  // By the id: names that are cut may look alike.
  const causes = new Map(
    skipped.map(({ webhookId, reason }) => [`${webhookId} ${reason}`, { webhookId, reason }]),
  )
  const shown = [...causes.values()]
    .slice(0, mostNames)
    .map(({ webhookId, reason }) => `${nameOf(webhookId)} ${reasons[reason]}`)
  const more = causes.size > mostNames ? `; and ${plural(causes.size - mostNames, 'other')}` : ''
  return `Nothing was delivered: ${shown.join('; ')}${more}.`
}

const mostNames = 3

/** `a`, `a and b`, `a, b and 4 others`. */
function listNames(names: readonly string[]): string {
  const shown = names.length > mostNames ? names.slice(0, mostNames - 1) : names
  const others = names.length - shown.length
  const parts = others > 0 ? [...shown, plural(others, 'other')] : shown
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

/** The longest list of events that a link names. */
const mostEvents = 100

/** Link to exactly these deliveries, or to the skipped ones where there are no others. */
export function linkToDeliveries({
  deliveries,
  skipped,
}: Pick<TriggerResult, 'deliveries' | 'skipped'>): { href: string; label: string } | undefined {
  const ids = [...new Set(deliveries.map(({ eventId }) => eventId))]
  if (ids.length > mostEvents) return { href: '/deliveries', label: 'Show all deliveries' }
  if (ids.length > 0) {
    const label = deliveries.length === 1 ? 'Show the delivery' : 'Show these deliveries'
    return { href: `/deliveries?q=event:${ids.join(',')}`, label }
  }
  return skipped.length > 0 ? { href: '/deliveries?skipped', label: 'Show skipped' } : undefined
}
