import { ownerTypes } from './accounts.ts'
import { repoTypes } from './hub.ts'

// Words of webhooks and their deliveries.

/** What a webhook may watch. */
export const watchedTypes = [...repoTypes, ...ownerTypes, 'bucket', 'kernel'] as const
export type WatchedType = (typeof watchedTypes)[number]

/** What a webhook of a fixtures file may watch: what a fixtures file may hold. */
export const watchedFixtureTypes = [...ownerTypes, ...repoTypes] as const

/** Families of events. */
export const eventDomains = ['repo', 'discussion'] as const
export type EventDomain = (typeof eventDomains)[number]

/** What a user makes of a webhook; the hub itself suspends. */
export const chosenWebhookStatuses = ['enabled', 'disabled'] as const
export const suspendedStatus = 'suspended-after-failure'
export const webhookStatuses = [...chosenWebhookStatuses, suspendedStatus] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** By the last attempt; `unknown`: none since it was made or enabled. */
export const webhookHealthStates = ['unknown', 'healthy', 'failing'] as const

/** How the deliveries of a webhook are started. */
export const deliveryOrders = ['parallel', 'ordered', 'shuffled'] as const
export type DeliveryOrder = (typeof deliveryOrders)[number]

/** Rules by which deliveries are retried and signed. */
export const deliveryProfiles = ['hub', 'hub-2026-08', 'ci', 'standard-webhooks'] as const
export type DeliveryProfileName = (typeof deliveryProfiles)[number]

/** Where a delivery stands that is not finished. */
export const openDeliveryStates = ['held', 'queued', 'sending', 'waiting'] as const
export type OpenDeliveryState = (typeof openDeliveryStates)[number]

/** Where a delivery stands that is finished; a replay may open it again. */
const finishedDeliveryStates = ['succeeded', 'failed', 'cancelled'] as const
export type FinishedDeliveryState = (typeof finishedDeliveryStates)[number]

export const deliveryStates = [...openDeliveryStates, ...finishedDeliveryStates] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** As lists tell them, together with those that were never made. */
export const listedDeliveryStates = [...deliveryStates, 'skipped'] as const
export type ListedDeliveryState = (typeof listedDeliveryStates)[number]

/**
 * Why a webhook got no delivery of an event. Matching belongs to the event itself, so there is no
 * "created after the event": a webhook that did not exist then has no part in it.
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

/** What caused an attempt. */
export const attemptSources = ['auto', 'retry', 'replay', 'recovered'] as const
export type AttemptSource = (typeof attemptSources)[number]

/** What an attempt came to; `unknown` after a crash. */
export const attemptOutcomes = ['succeeded', 'failed', 'unknown'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** Why an attempt failed. */
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

/** In which order several deliveries are replayed. */
export const replayOrders = ['given', 'shuffled'] as const
export type ReplayOrder = (typeof replayOrders)[number]

/** So many deliveries are replayed by one request at most. */
export const mostReplays = 500

/** How much of a delivery a list tells. */
export const deliveryViews = ['full', 'rows'] as const
export type DeliveryViewName = (typeof deliveryViews)[number]
