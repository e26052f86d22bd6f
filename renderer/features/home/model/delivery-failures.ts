import type { DeliveryIssue } from '../../../../server/contract/control-summary.ts'
import type { DeliveryCounts } from '../../../../server/contract/delivery-result.ts'
import type { LiveEntry } from '../../../../server/contract/live.ts'
import { formatCount } from '../../../lib/format.ts'
import { words } from '../words.ts'
import { describeEntry, type EntryLine, type EntryNames } from './describe-entry.ts'

type Fact<T extends LiveEntry['type']> = Extract<LiveEntry, { type: T }>
export type DeliveryFailure = Fact<'delivery.waiting'> | Fact<'delivery.failed'>

/** Numbers of the deliveries to a webhook that are undelivered now. */
export type Undelivered = Pick<DeliveryCounts, 'failing' | 'failed'>

export function isDeliveryFailure(entry: LiveEntry): entry is DeliveryFailure {
  return entry.type === 'delivery.waiting' || entry.type === 'delivery.failed'
}

/**
 * Describes the failures of one webhook in one line.
 * @param facts newest first; at least one
 * @param now counted from the deliveries, because older facts may have been dropped; absent for a deleted webhook
 */
export function describeFailures(
  facts: readonly [DeliveryFailure, ...DeliveryFailure[]],
  names: EntryNames,
  now: Undelivered = { failing: 0, failed: 0 },
): EntryLine & { isIssue: boolean } {
  const [newest] = facts
  const { webhookId, deliveryId } = newest.data
  const { failing, failed } = now
  const isOne = facts.every(({ data }) => data.deliveryId === deliveryId)
  const own = isOne && failing + failed === 1 ? describeEntry(newest, names) : undefined
  const isSame = newest.type === 'delivery.failed' ? failed === 1 : failing === 1
  if (own !== undefined && isSame) return { ...own, isIssue: true }
  const name = names.webhook(webhookId)
  if (failing + failed === 0) {
    return {
      icon: 'retry',
      tone: 'neutral',
      text: words.failedBefore(name),
      detail: words.noneLeft,
      href: `/deliveries/${deliveryId}`,
      isIssue: false,
    }
  }
  const counts = [
    ...(failing > 0 ? [`${formatCount(failing)} ${words.failing}`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} ${words.failed}`] : []),
  ]
  const error = errorOf(facts)
  return {
    icon: failed > 0 ? 'cross' : 'retry',
    tone: failed > 0 ? 'bad' : 'warn',
    text: words.undelivered(name, counts.join(', ')),
    ...(error !== '' && { detail: error }),
    href: undeliveredPath(webhookId),
    isIssue: true,
  }
}

/** Path of the list with exactly the undelivered deliveries of a webhook. */
export function undeliveredPath(webhookId: string): string {
  return `/deliveries?q=${encodeURIComponent(`webhook:${webhookId} status:failing,failed`)}`
}

/** Path of the list with exactly the deliveries of an issue. */
export function issuePath({
  webhookId,
  class: errorClass,
  status,
}: Pick<DeliveryIssue, 'webhookId' | 'class' | 'status'>): string {
  const query = [
    `webhook:${webhookId}`,
    'status:failing,failed',
    `error:"${errorClass}"`,
    ...(status === undefined ? [] : [`status:=${status}`]),
  ].join(' ')
  return `/deliveries?q=${encodeURIComponent(query)}`
}

function errorOf(facts: readonly DeliveryFailure[]): string {
  const last = facts.find((fact) => fact.type === 'delivery.failed')
  if (last === undefined) return ''
  return last.data.error?.message ?? words.responseStatus(last.data.status ?? 'nothing')
}
