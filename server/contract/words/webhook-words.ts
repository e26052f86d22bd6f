import { ownerTypes } from './account-words.ts'
import { anyRepoTypes } from './hub-words.ts'

// Words of webhooks and their deliveries.

/** Types of items that a webhook can watch. */
export const watchedTypes = [...anyRepoTypes, ...ownerTypes, 'kernel'] as const

/** Types of items that a webhook in fixtures can watch: those that fixtures can contain. */
export const watchedFixtureTypes = [...ownerTypes, ...anyRepoTypes] as const

/** Families of events. */
export const eventDomains = ['repo', 'discussion'] as const
export type EventDomain = (typeof eventDomains)[number]

/** Statuses that a user can set on a webhook; only the hub suspends. */
export const chosenWebhookStatuses = ['enabled', 'disabled'] as const
export const suspendedStatus = 'suspended-after-failure'
export const webhookStatuses = [...chosenWebhookStatuses, suspendedStatus] as const

/** Health of a webhook by its last attempt (replays count if they succeed); `unknown`: no attempt since it was created or enabled. */
export const webhookHealthStates = ['unknown', 'healthy', 'failing'] as const

/** Orders of sending the deliveries of a webhook. */
export const deliveryOrders = ['parallel', 'ordered', 'shuffled'] as const
export type DeliveryOrder = (typeof deliveryOrders)[number]

/** Rules by which deliveries are retried and signed. */
export const deliveryProfiles = ['hub', 'hub-2026-08', 'ci', 'standard-webhooks'] as const
export type DeliveryProfileName = (typeof deliveryProfiles)[number]

/** States of an unfinished delivery. */
export const openDeliveryStates = ['held', 'queued', 'sending', 'waiting'] as const
export type OpenDeliveryState = (typeof openDeliveryStates)[number]

/** States of a finished delivery; a replay can reopen it. */
const finishedDeliveryStates = ['succeeded', 'failed', 'cancelled'] as const

export const deliveryStates = [...openDeliveryStates, ...finishedDeliveryStates] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** States in lists, including that of skipped deliveries. */
export const listedDeliveryStates = [...deliveryStates, 'skipped'] as const
export type ListedDeliveryState = (typeof listedDeliveryStates)[number]

/**
 * Results of a delivery, of which it has exactly one. `failing`: it failed so far and will be retried; `failed`: given up;
 * `pending`: no attempt has ended yet; `not-run`: its job was recorded only.
 */
export const deliveryResults = [
  'succeeded',
  'failing',
  'failed',
  'pending',
  'cancelled',
  'not-run',
  'skipped',
] as const
export type DeliveryResult = (typeof deliveryResults)[number]

/** Word for a held delivery. */
export const pausedWord = 'paused'

/** Words that lists show for deliveries, and that filters know: results, and how far an open delivery is. */
export const shownDeliveryWords = [...deliveryResults, 'queued', 'sending', pausedWord] as const
export type ShownDeliveryWord = (typeof shownDeliveryWords)[number]

/** Returns the word as text: `not run`. */
export function plainWord(word: ShownDeliveryWord): string {
  return word.replace('-', ' ')
}

/** All words of filters: those of lists, and the states of the control API. */
export const deliveryStatusWords: readonly string[] = [
  ...new Set<string>([...shownDeliveryWords, ...listedDeliveryStates]),
]

/** Words for a webhook; `failing`: its last attempt failed, and it still sends. */
export const webhookWords = ['suspended', 'disabled', 'failing', 'healthy', 'unknown'] as const
export type WebhookWord = (typeof webhookWords)[number]

/**
 * Reasons why a webhook was skipped for an event. Matching happens at the time of the event, so a webhook created later
 * is not listed.
 */
export const skipReasons = [
  'disabled',
  'suspended',
  'not-watched',
  'domain-filtered',
  'quota-exceeded',
  'private-not-visible',
  'offline-target-blocked',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Causes of an attempt. */
export const attemptSources = ['auto', 'retry', 'replay', 'recovered'] as const
export type AttemptSource = (typeof attemptSources)[number]

/** Causes of a listed attempt. Those of audits are kept apart from deliveries, and listed on request only. */
export const listedAttemptSources = [...attemptSources, 'audit'] as const

/** Results of an attempt; `unknown` after a crash. */
export const attemptOutcomes = ['succeeded', 'failed', 'unknown'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** Kinds of failures of an attempt. */
export const deliveryErrorClasses = [
  'dns_error',
  'connection_refused',
  'connection_reset',
  'network_unreachable',
  'connect_timeout',
  'timeout',
  'tls_error',
  'http_status',
  'redirect',
  'protocol_error',
  'blocked_target',
  'sender_fault',
  'aborted_by_shutdown',
  'job_failed',
] as const
export type DeliveryErrorClass = (typeof deliveryErrorClasses)[number]

/** Errors of attempts that never reached the receiver. */
export const unreachedErrors: ReadonlySet<DeliveryErrorClass> = new Set([
  'dns_error',
  'connection_refused',
  'network_unreachable',
  'connect_timeout',
  'tls_error',
  'blocked_target',
  'sender_fault',
  'aborted_by_shutdown',
])

/** Errors of attempts without a response: their duration is not a response time. */
export const unansweredErrors: ReadonlySet<DeliveryErrorClass> = new Set([
  ...unreachedErrors,
  'timeout',
  'connection_reset',
  'protocol_error',
])

/**
 * Causes of a delivery by an earlier one: a token of its job, the user that its receiver acts as, or, where none is
 * named, the owner of the webhook. The last is an assumption.
 */
export const deliveryCauses = ['job-token', 'acts-as', 'owner'] as const

/** Rounds of a webhook through its own events before the next delivery is held. */
export const mostRounds = 3

/** Orders of replaying several deliveries. */
export const replayOrders = ['given', 'oldest', 'shuffled'] as const
export type ReplayOrder = (typeof replayOrders)[number]

/** Most deliveries that one request can replay. */
export const mostReplays = 500

/** Views of a delivery in lists. */
export const deliveryViews = ['full', 'rows'] as const
export type DeliveryViewName = (typeof deliveryViews)[number]
