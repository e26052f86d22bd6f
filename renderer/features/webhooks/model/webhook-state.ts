import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { webhookWordOf } from '../../../../server/contract/delivery-result.ts'
import {
  suspendedStatus,
  type WebhookWord,
} from '../../../../server/contract/words/webhook-words.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'

interface StateLook {
  word: string
  tone: Tone
  icon: IconName
}

type Stated = Pick<WebhookItem, 'status' | 'health' | 'held' | 'awaitedSince'>

/** Worst first. */
export const looks: Record<WebhookWord | 'awaited' | 'paused', StateLook> = {
  suspended: { word: 'suspended', tone: 'bad', icon: 'warning' },
  failing: { word: 'failing', tone: 'warn', icon: 'warning' },
  awaited: { word: 'waiting for receiver', tone: 'neutral', icon: 'clock' },
  paused: { word: 'paused', tone: 'warn', icon: 'hold' },
  disabled: { word: 'disabled', tone: 'neutral', icon: 'minus' },
  unknown: { word: 'no attempts', tone: 'neutral', icon: 'queued' },
  healthy: { word: 'healthy', tone: 'ok', icon: 'check' },
}
const ranks = Object.keys(looks)

export function isSuspended({ status }: Pick<WebhookItem, 'status'>): boolean {
  return status === suspendedStatus
}

/** The word of a webhook, by which it is counted and filtered. */
export function wordOf({ status, health }: Pick<WebhookItem, 'status' | 'health'>): WebhookWord {
  return webhookWordOf(status, health.state)
}

/** Number of webhooks with each word, without those that nobody has. */
export function countWords(webhooks: readonly WebhookItem[]): ReadonlyMap<WebhookWord, number> {
  const counts = new Map<WebhookWord, number>()
  for (const webhook of webhooks) {
    const word = wordOf(webhook)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

type State = keyof typeof looks

/** States of a webhook, the one that explains most first: a paused webhook sends nothing, healthy or not. */
function statesOf({ status, health, held, awaitedSince }: Stated): [State, ...State[]] {
  const word = wordOf({ status, health })
  const others: State[] = [
    ...(held ? (['paused'] as const) : []),
    ...(awaitedSince === undefined ? [] : (['awaited'] as const)),
  ]
  const [first, ...more] = others
  return first === undefined || word === 'suspended' || word === 'disabled' || word === 'failing'
    ? [word, ...others]
    : [first, ...more]
}

export function looksOf(webhook: Stated): [StateLook, ...StateLook[]] {
  const [first, ...more] = statesOf(webhook)
  return [looks[first], ...more.map((state) => looks[state])]
}

/** Place of the state in a table that is sorted by it. */
export function rankOf(webhook: Stated): number {
  return ranks.indexOf(statesOf(webhook)[0])
}
