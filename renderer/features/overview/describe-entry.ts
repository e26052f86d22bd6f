import type { LiveEntry } from '../../../server/contract/live.ts'
import type { Tone } from '../../components/badge.tsx'
import type { IconName } from '../../components/icon.tsx'
import { plural } from '../../lib/format.ts'

export interface Names {
  user: (id: string) => string
  app: (clientId: string) => string
  webhook: (id: string) => string
}

export interface Line {
  icon: IconName
  tone: Tone
  text: string
  detail?: string
  href?: string
}

const nobody: Names = { user: () => '', app: () => '', webhook: () => '' }

/** Whether {@link describeEntry} has a sentence for the fact. */
export function isTold(entry: LiveEntry): boolean {
  return describeEntry(entry, nobody) !== undefined
}

/** A fact as a sentence; `undefined` for those that only tell a step of what is told anyway. */
export function describeEntry(entry: LiveEntry, names: Names): Line | undefined {
  switch (entry.type) {
    case 'sandbox.started':
      return { icon: 'play', tone: 'neutral', text: `The sandbox was started at ${entry.data.url}` }
    case 'sandbox.reset':
      return {
        icon: 'retry',
        tone: 'neutral',
        text:
          entry.data.snapshot === undefined
            ? 'Everything was reset to the fixtures'
            : `The snapshot ${entry.data.snapshot} was restored`,
        ...(entry.data.erasedRequests > 0 && {
          detail: `The request log began anew: ${plural(entry.data.erasedRequests, 'request')} forgotten`,
        }),
      }
    case 'clock.changed':
      return { icon: 'clock', tone: 'warn', text: 'The clock was moved' }
    case 'request.completed': {
      // Those that went well are told by what they did.
      const { id, method, path, status, error, detail } = entry.data
      if (!error) return undefined
      return {
        icon: 'request',
        tone: 'bad',
        text: `${method} ${path.split('?')[0]} refused: ${status} ${error}`,
        href: `/requests/${id}`,
        ...(detail && { detail }),
      }
    }
    case 'session.started':
      return { icon: 'people', tone: 'accent', text: `${entry.data.username} signed in` }
    case 'session.ended':
      return {
        icon: 'people',
        tone: 'neutral',
        text: `${names.user(entry.data.userId)} signed out`,
      }
    case 'authorization.granted':
      return {
        icon: 'check',
        tone: 'ok',
        text: `${names.user(entry.data.userId)} allowed ${names.app(entry.data.clientId)}`,
        detail: entry.data.scopes.join(' '),
        href: '/connected',
      }
    case 'authorization.denied':
      return {
        icon: 'cross',
        tone: 'bad',
        text: `${names.app(entry.data.clientId)} was not allowed: ${entry.data.error}`,
        ...(entry.data.detail && { detail: entry.data.detail }),
      }
    case 'consent.revoked':
      return {
        icon: 'connected',
        tone: 'neutral',
        text: `${names.user(entry.data.userId)} disconnected ${names.app(entry.data.clientId)}`,
      }
    case 'token.issued': {
      const { userId, clientId, grant } = entry.data
      return {
        icon: 'token',
        tone: 'ok',
        text: `Token for ${names.user(userId)}${clientId ? ` to ${names.app(clientId)}` : ''}`,
        detail: grant.replaceAll('_', ' '),
        href: '/tokens',
      }
    }
    case 'token.refused':
      return {
        icon: 'token',
        tone: 'bad',
        text: `Token refused: ${entry.data.error}`,
        detail: entry.data.detail,
        href: '/requests',
      }
    case 'token.revoked':
      return {
        icon: 'token',
        tone: 'neutral',
        text: `Token of ${names.user(entry.data.userId)} revoked`,
        detail: entry.data.because,
        href: '/tokens?state=revoked',
      }
    case 'device.requested':
      return {
        icon: 'screen',
        tone: 'accent',
        text: `${names.app(entry.data.clientId)} waits with device code ${entry.data.userCode}`,
      }
    case 'device.approved':
    case 'device.denied':
      return {
        icon: 'screen',
        tone: entry.type === 'device.approved' ? 'ok' : 'bad',
        text: `${names.user(entry.data.userId)} ${entry.type === 'device.approved' ? 'approved' : 'denied'} ${entry.data.userCode}`,
      }
    case 'app.created':
    case 'app.updated':
    case 'app.deleted':
      return {
        icon: 'app',
        tone: 'neutral',
        text: `App ${entry.type.slice(4)}: ${entry.type === 'app.deleted' ? entry.data.clientId : names.app(entry.data.clientId)}`,
        href: '/apps',
      }
    case 'key.rotated':
      return { icon: 'key', tone: 'warn', text: `Signing key rotated: ${entry.data.kid}` }
    case 'hub.event': {
      const { scope, action, repo, cause } = entry.data
      return {
        icon: 'repo',
        tone: 'accent',
        text: `${scope} · ${action} in ${repo.name}`,
        ...(cause !== 'api' && { detail: cause === 'trigger' ? 'triggered' : 'sent only' }),
      }
    }
    case 'webhook.suspended':
      return {
        icon: 'warning',
        tone: 'bad',
        text: `${names.webhook(entry.data.webhookId)} was suspended`,
        detail: entry.data.reason,
        href: '/webhooks',
      }
    case 'webhook.created':
    case 'webhook.deleted':
      return {
        icon: 'webhook',
        tone: 'neutral',
        text: entry.type === 'webhook.created' ? 'Webhook created' : 'Webhook deleted',
        href: '/webhooks',
      }
    case 'delivery.succeeded':
      // An answer and the exit code of a job have a status.
      if (entry.data.status === undefined) {
        return {
          icon: 'job',
          tone: 'neutral',
          text: `The job of ${names.webhook(entry.data.webhookId)} was recorded and not run`,
          href: `/deliveries/${entry.data.deliveryId}`,
        }
      }
      return {
        icon: 'check',
        tone: 'ok',
        text: `Delivered ${entry.data.scope} · ${entry.data.action} to ${names.webhook(entry.data.webhookId)}`,
        href: `/deliveries/${entry.data.deliveryId}`,
      }
    case 'delivery.waiting':
    case 'delivery.failed':
      return {
        icon: entry.type === 'delivery.failed' ? 'cross' : 'retry',
        tone: entry.type === 'delivery.failed' ? 'bad' : 'warn',
        text: `${names.webhook(entry.data.webhookId)} did not take ${entry.data.scope} · ${entry.data.action}`,
        detail:
          entry.type === 'delivery.failed'
            ? (entry.data.error?.message ?? `answered ${entry.data.status ?? 'nothing'}`)
            : `attempt ${entry.data.attempt}, will be tried again`,
        href: `/deliveries/${entry.data.deliveryId}`,
      }
    case 'job.created':
      return {
        icon: 'job',
        tone: 'accent',
        text: `Job asked for by ${entry.data.namespace}`,
        href: `/jobs/${entry.data.jobId}`,
      }
    default:
      return undefined
  }
}
