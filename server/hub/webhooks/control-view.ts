import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { WebhookHealth, WebhookItem, WebhookUsage } from '../../contract/control-webhooks.ts'
import type { HubServices } from '../services.ts'
import type { Delivery, Webhook } from '../../store/entities/webhook-entities.ts'
import { commandOf, howToRun } from '../jobs/run-command.ts'
import { profileNamed } from './delivery/profiles.ts'
import { findSendingProblem } from './delivery/webhook-secret.ts'
import { warnOfWatched } from './publish/watched.ts'
import { failingSince } from './delivery/suspension.ts'
import { countResults, webhookWordOf } from '../../contract/delivery-result.ts'
import type { WebhookWord } from '../../contract/words/webhook-words.ts'
import { atRank } from './views/charts.ts'
import { digestOf } from './views/delivery-digest.ts'
import { withShares } from './views/statistics.ts'
import { isoMember, present, userRef } from '../access/refs.ts'

export function describeWebhook(deps: HubServices, webhook: Webhook): WebhookItem {
  const problem = findProblem(deps, webhook)
  const { state } = deps
  const own = state.deliveries.group('webhook', webhook.id)
  const digests = own.map((delivery) => digestOf(deps, delivery))
  const deliveries = withShares(countResults(digests))
  const times = digests.flatMap((digest) => digest.times)
  const p95Ms = atRank(new Float64Array(times).toSorted(), 0.95)
  return {
    id: webhook.id,
    ...present(webhook, 'name', 'url', 'job', 'jobSourceId', 'secret', 'suspendedBecause', 'ca'),
    owner: userRef(deps, webhook.ownerId),
    target: describeTarget(webhook),
    watched: webhook.watched,
    domains: webhook.domains,
    status: webhook.status,
    ...isoMember('suspendedAt', webhook.suspendedAt),
    consecutiveFailures: webhook.consecutiveFailures,
    ...isoMember('lastTriggerAt', webhook.lastTriggerAt),
    held: webhook.held ?? false,
    ...isoMember('awaitedSince', webhook.awaitedSince),
    order: webhook.order ?? 'parallel',
    ...(webhook.actsAs !== undefined && { actsAs: userRef(deps, webhook.actsAs).username }),
    acceptSelfSigned: webhook.acceptSelfSigned ?? false,
    usage: describeUsage(deps, webhook),
    ...omitUndefined({ problem }),
    warnings: [...warnOfWatched(deps, webhook), ...warnOfJob(deps, webhook)],
    health: describeHealth(webhook, deliveries.succeeded > 0),
    deliveries,
    ...omitUndefined({ p95Ms }),
    ...isoMember('nextRetryAt', nextRetryAt(own)),
    createdAt: isoTime(webhook.createdAt),
  }
}

/** Time of the first retry; an unfinished delivery keeps no past one. */
function nextRetryAt(deliveries: readonly Delivery[]): number | undefined {
  const times = deliveries.flatMap(({ state, nextRetryAt: at }) =>
    state === 'waiting' && at !== undefined ? [at] : [],
  )
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))
}

export function describeUsage({ engine }: HubServices, { id }: Webhook): WebhookUsage {
  const usage = engine.usage(id)
  return { ...usage, limit: usage.limit ?? null }
}

/** Warns about jobs that are recorded and not run. */
function warnOfJob({ settings }: HubServices, { job }: Webhook): string[] {
  if (job === undefined || commandOf(settings, job) !== undefined) return []
  return [`The job will be recorded, not executed. ${howToRun(job)}`]
}

/** Checks a webhook again: the sandbox may have another port or profile than when it was created. */
function findProblem({ engine, settings }: HubServices, webhook: Webhook): string | undefined {
  const { url } = webhook
  return (
    findSendingProblem(webhook, profileNamed(settings.deliveryProfile)) ??
    (url !== undefined && URL.canParse(url) ? engine.findTargetProblem(new URL(url)) : undefined) ??
    engine.pausedBecause(webhook)
  )
}

export function isFailing({ lastFailure }: Webhook): boolean {
  return lastFailure !== undefined
}

/** Returns the word for a webhook, which counts as failing only while it sends. */
export function wordOfWebhook(webhook: Webhook): WebhookWord {
  return webhookWordOf(webhook.status, isFailing(webhook) ? 'failing' : 'healthy')
}

function describeHealth(webhook: Webhook, hasSucceeded: boolean): WebhookHealth {
  const { lastFailure, failedAttempts = 0 } = webhook
  if (lastFailure === undefined) {
    return { state: hasSucceeded ? 'healthy' : 'unknown', failedAttempts: 0 }
  }
  const { at, deliveryId, status, error } = lastFailure
  return {
    state: 'failing',
    failedAttempts,
    ...isoMember('failingSince', failingSince(webhook)),
    lastError: { at: isoTime(at), deliveryId, ...omitUndefined({ status }), ...error },
  }
}

export function describeTarget({ url, job }: Webhook): string {
  if (url !== undefined) return url
  if (job === undefined) return 'nothing'
  const where = job.spaceId === undefined ? (job.dockerImage ?? '') : `Space ${job.spaceId}`
  return `job: ${[where, ...job.command].join(' ')}`
}
