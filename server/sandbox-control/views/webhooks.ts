import type { WebhookItem } from '../../contract/control-webhooks.ts'
import type { ServerDeps } from '../../core/server-deps.ts'
import type { Webhook } from '../../state/entities/webhooks.ts'
import { iso, isoMember, present, userRef } from './refs.ts'

export function describeWebhook(deps: ServerDeps, webhook: Webhook): WebhookItem {
  const usage = deps.engine.usage(webhook.id)
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
    order: webhook.order ?? 'parallel',
    acceptSelfSigned: webhook.acceptSelfSigned ?? false,
    usage: { ...usage, limit: usage.limit ?? null },
    createdAt: iso(webhook.createdAt),
  }
}

function describeTarget({ url, job }: Webhook): string {
  if (url !== undefined) return url
  if (job === undefined) return 'nothing'
  const where = job.spaceId === undefined ? (job.dockerImage ?? '') : `Space ${job.spaceId}`
  return `job: ${[where, ...job.command].join(' ')}`
}
