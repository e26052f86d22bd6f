import type { LiveEntry } from '../../../../server/contract/live.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { words } from '../words.ts'
import type { EntryLine, EntryNames } from './describe-entry.ts'

type Fact<T extends LiveEntry['type']> = Extract<LiveEntry, { type: T }>
export type DeliveryFailure = Fact<'delivery.waiting'> | Fact<'delivery.failed'>
type DeliveryResult = DeliveryFailure | Fact<'delivery.succeeded'> | Fact<'delivery.cancelled'>

/** Newest result of each delivery, by its id. */
export type DeliveryResults = ReadonlyMap<string, DeliveryResult['type']>

export function isDeliveryFailure(entry: LiveEntry): entry is DeliveryFailure {
  return entry.type === 'delivery.waiting' || entry.type === 'delivery.failed'
}

function isDeliveryResult(entry: LiveEntry): entry is DeliveryResult {
  return (
    isDeliveryFailure(entry) ||
    entry.type === 'delivery.succeeded' ||
    entry.type === 'delivery.cancelled'
  )
}

/** @param entries newest first */
export function findResults(entries: readonly LiveEntry[]): DeliveryResults {
  const results = new Map<string, DeliveryResult['type']>()
  for (const entry of entries) {
    if (!isDeliveryResult(entry) || results.has(entry.data.deliveryId)) continue
    results.set(entry.data.deliveryId, entry.type)
  }
  return results
}

/**
 * Describes the failures of one webhook in one line.
 * @param facts newest first; at least one
 */
export function describeFailures(
  facts: readonly [DeliveryFailure, ...DeliveryFailure[]],
  names: EntryNames,
  results: DeliveryResults,
): EntryLine & { isIssue: boolean } {
  const [{ data }] = facts
  const attempts = new Map<string, number>()
  for (const { data: each } of facts) {
    attempts.set(each.deliveryId, Math.max(each.attempt, attempts.get(each.deliveryId) ?? 0))
  }
  const count = (result: DeliveryResult['type']) =>
    [...attempts.keys()].filter((id) => results.get(id) === result).length
  const [failing, failed, delivered] = [
    count('delivery.waiting'),
    count('delivery.failed'),
    count('delivery.succeeded'),
  ]
  const isOne = attempts.size === 1
  const some = (number: number, text: string) =>
    number === 0 ? '' : isOne ? text : `${formatCount(number)} ${text}`
  const what = isOne
    ? `${data.scope} · ${data.action}`
    : plural(attempts.size, 'delivery', 'deliveries')
  const tried = words.attemptsEach([...new Set(attempts.values())], isOne)
  // A count that says the same as the title is left out.
  const part = (number: number, text: string) =>
    number === attempts.size ? '' : some(number, text)
  const detail = [
    part(failing, 'will be retried'),
    part(failed, 'failed'),
    some(delivered, 'delivered since'),
    errorOf(facts),
  ].filter(Boolean)
  return {
    ...lookOf(failing, failed),
    text: titleOf(failing, failed)(names.webhook(data.webhookId), `${what}, ${tried}`),
    ...(detail.length > 0 && { detail: detail.join(' · ') }),
    href: isOne ? `/deliveries/${data.deliveryId}` : listPath([...attempts.keys()]),
    isIssue: failing + failed > 0,
  }
}

/** Path of the list with exactly these deliveries. */
function listPath(ids: readonly string[]): string {
  return `/deliveries?q=${encodeURIComponent(`id:${ids.join(',')}`)}`
}

function titleOf(failing: number, failed: number) {
  if (failing > 0) return words.deliveriesFailing
  return failed > 0 ? words.deliveriesFailed : words.deliveriesFailedBefore
}

function lookOf(failing: number, failed: number): Pick<EntryLine, 'icon' | 'tone'> {
  if (failed > 0) return { icon: 'cross', tone: 'bad' }
  return { icon: 'retry', tone: failing > 0 ? 'warn' : 'neutral' }
}

function errorOf(facts: readonly DeliveryFailure[]): string {
  const last = facts.find((fact) => fact.type === 'delivery.failed')
  if (last === undefined) return ''
  return last.data.error?.message ?? words.responseStatus(last.data.status ?? 'nothing')
}
