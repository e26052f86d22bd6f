import type { FaultMatch } from '../../../../server/contract/control-faults.ts'
import type { LiveData, LiveEntry, LiveType } from '../../../../server/contract/live.ts'
import { pollAgainErrors } from '../../../../server/contract/words/oauth.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { describeMatch } from '../../../shared/fault-text.ts'
import { plural, shorten } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { words } from '../words.ts'

export interface EntryNames {
  user: (id: string) => string
  app: (clientId: string) => string
  webhook: (id: string) => string
}

export interface EntryLine {
  icon: IconName
  tone: Tone
  text: string
  detail?: string
  href?: string
}

const noNames: EntryNames = { user: () => '', app: () => '', webhook: () => '' }

/** Tells whether {@link describeEntry} has a text for the fact. */
export function isListed(entry: LiveEntry): boolean {
  return describeEntry(entry, noNames) !== undefined
}

/** Tells whether the fact is a failure. */
export function reportsFailure(entry: LiveEntry): boolean {
  return describeEntry(entry, noNames)?.tone === 'bad'
}

/** Text of a fact; `undefined` for facts that are part of another one. */
export function describeEntry({ type, data }: LiveEntry, names: EntryNames): EntryLine | undefined {
  // Type and data belong together, which the compiler does not see in a table.
  const describe = descriptions[type] as
    | ((data: unknown, names: EntryNames) => EntryLine | undefined)
    | undefined
  return describe?.(data, names)
}

const descriptions: {
  [T in LiveType]?: (data: LiveData[T], names: EntryNames) => EntryLine | undefined
} = {
  'sandbox.started': ({ url }) => ({
    icon: 'play',
    tone: 'neutral',
    text: words.started(url),
  }),
  'sandbox.reset': ({ snapshot, erasedRequests }) =>
    omitUndefined({
      icon: 'retry' as const,
      tone: 'neutral' as const,
      text: snapshot === undefined ? words.reset : words.restored(snapshot),
      detail: erasedRequests > 0 ? words.logCleared(plural(erasedRequests, 'request')) : undefined,
    }),
  'clock.changed': () => ({ icon: 'clock', tone: 'warn', text: words.clockChanged }),
  // Successful requests show by their effects.
  'request.completed': ({ id, method, path, status, error, expected, detail, flowId }) =>
    error && !expected
      ? omitUndefined({
          icon: 'request' as const,
          tone: 'bad' as const,
          text: words.requestRefused(method, path.replace(/\?.*/, ''), status, error),
          href: flowId ? `/sign-ins/${encodeURIComponent(flowId)}` : `/requests/${id}`,
          detail: detail || undefined,
        })
      : undefined,
  'session.started': ({ username }) => ({
    icon: 'people',
    tone: 'accent',
    text: words.signedIn(username),
  }),
  'session.ended': ({ userId }, names) => ({
    icon: 'people',
    tone: 'neutral',
    text: words.signedOut(names.user(userId)),
  }),
  'authorization.granted': ({ userId, clientId, scopes }, names) => ({
    icon: 'check',
    tone: 'ok',
    text: words.authorized(names.user(userId), names.app(clientId)),
    detail: scopes.join(' '),
    href: '/connected',
  }),
  'authorization.denied': ({ clientId, error, detail }, names) =>
    omitUndefined({
      icon: 'cross' as const,
      tone: 'bad' as const,
      text: words.authorizationDenied(names.app(clientId), error),
      detail: detail || undefined,
    }),
  'consent.revoked': ({ userId, clientId }, names) => ({
    icon: 'connected',
    tone: 'neutral',
    text: words.disconnected(names.user(userId), names.app(clientId)),
  }),
  'token.issued': ({ userId, clientId, grant }, names) => ({
    icon: 'token',
    tone: 'ok',
    text: clientId
      ? words.tokenIssuedTo(names.app(clientId), names.user(userId))
      : words.tokenIssued(names.user(userId)),
    detail: grant.replaceAll('_', ' '),
    href: '/tokens',
  }),
  'token.refused': ({ error, detail }) =>
    pollAgainErrors.has(error)
      ? undefined
      : {
          icon: 'token',
          tone: 'bad',
          text: words.tokenRefused(error),
          detail,
          href: '/requests',
        },
  'token.revoked': ({ userId, because }, names) => ({
    icon: 'token',
    tone: 'neutral',
    text: words.tokenRevoked(names.user(userId)),
    detail: because,
    href: '/tokens?state=revoked',
  }),
  'device.requested': ({ clientId, userCode }, names) => ({
    icon: 'screen',
    tone: 'accent',
    text: words.deviceWaits(names.app(clientId), userCode),
  }),
  'device.approved': ({ userId, userCode }, names) => ({
    icon: 'screen',
    tone: 'ok',
    text: words.deviceApproved(names.user(userId), userCode),
  }),
  'device.denied': ({ userId, userCode }, names) => ({
    icon: 'screen',
    tone: 'bad',
    text: words.deviceDenied(names.user(userId), userCode),
  }),
  'app.created': ({ clientId }, names) => appLine(words.appCreated(names.app(clientId))),
  'app.updated': ({ clientId }, names) => appLine(words.appUpdated(names.app(clientId))),
  // The name of a deleted app is unknown.
  'app.deleted': ({ clientId }) => appLine(words.appDeleted(clientId)),
  'advice.found': ({ level, rule }) => ({
    icon: 'warning',
    tone: level === 'error' ? 'bad' : 'warn',
    text: words.mistakeFound(rule),
  }),
  'key.rotated': ({ kid }) => ({ icon: 'key', tone: 'warn', text: words.keyRotated(kid) }),
  'fault.added': ({ match }) => faultLine(words.faultAdded(place(match))),
  'fault.hit': ({ match, left }) =>
    omitUndefined({
      ...faultLine(words.faultApplied(place(match))),
      detail: left === 0 ? words.lastTime : undefined,
    }),
  'fault.removed': ({ match }) => faultLine(words.faultRemoved(place(match))),
  'barrier.added': ({ match }) => barrierLine(words.barrierAdded(place(match))),
  'barrier.held': ({ match }) => barrierLine(words.requestHeld(place(match))),
  'barrier.left': ({ match }) => barrierLine(words.heldClientLeft(place(match))),
  'barrier.released': ({ match, held }) =>
    barrierLine(words.barrierReleased(place(match), plural(held, 'request'))),
  'snapshot.kept': ({ name }) => snapshotLine(words.snapshotSaved(name)),
  'snapshot.deleted': ({ name }) => snapshotLine(words.snapshotDeleted(name)),
  'hub.event': ({ scope, action, repo, cause }) =>
    omitUndefined({
      icon: 'repo' as const,
      tone: 'accent' as const,
      text: words.hubEvent(scope, action, repo.name),
      detail: { api: undefined, trigger: 'triggered', synthetic: words.payloadOnly }[cause],
    }),
  'access.changed': ({ userId, repo, repoType, status }, names) => ({
    icon: 'lock',
    tone: status === 'pending' ? 'warn' : 'neutral',
    text: words.accessChanged[status ?? 'withdrawn'](names.user(userId), repo),
    href: `/repos/${repoType}/${repo}?view=access`,
  }),
  'webhook.suspended': ({ webhookId, reason }, names) => ({
    icon: 'warning',
    tone: 'bad',
    text: words.webhookSuspended(names.webhook(webhookId)),
    detail: reason,
    href: '/webhooks',
  }),
  'webhook.back': ({ webhookId, succeeded, failed }, names) => ({
    icon: failed === 0 ? 'check' : 'retry',
    tone: failed === 0 ? 'ok' : 'warn',
    text: words.webhookBack(names.webhook(webhookId), plural(succeeded, 'delivery', 'deliveries')),
    ...(failed > 0 && { detail: words.countFailed(String(failed)) }),
    href: `/webhooks/${webhookId}/activity`,
  }),
  'webhook.created': () => webhookLine(words.webhookCreated),
  'webhook.deleted': () => webhookLine(words.webhookDeleted),
  'delivery.succeeded': ({ deliveryId, webhookId, scope, action, status }, names) =>
    // Responses and exit codes have a status.
    status === undefined
      ? {
          icon: 'job',
          tone: 'neutral',
          text: words.jobRecorded(names.webhook(webhookId)),
          href: `/deliveries/${deliveryId}`,
        }
      : {
          icon: 'check',
          tone: 'ok',
          text: words.delivered(scope, action, names.webhook(webhookId)),
          href: `/deliveries/${deliveryId}`,
        },
  'delivery.waiting': ({ deliveryId, webhookId, scope, action, attempt }, names) => ({
    icon: 'retry',
    tone: 'warn',
    text: words.deliveryFailing(names.webhook(webhookId), scope, action),
    detail: words.willRetry(attempt),
    href: `/deliveries/${deliveryId}`,
  }),
  'delivery.failed': ({ deliveryId, webhookId, scope, action, error, status }, names) => ({
    icon: 'cross',
    tone: 'bad',
    text: words.deliveryFailed(names.webhook(webhookId), scope, action),
    detail: error?.message ?? words.responseStatus(status ?? 'nothing'),
    href: `/deliveries/${deliveryId}`,
  }),
  'delivery.cancelled': ({ deliveryId, webhookId, scope, action, because }, names) => ({
    icon: 'minus',
    tone: 'neutral',
    text: words.deliveryCancelled(names.webhook(webhookId), scope, action),
    detail: because,
    href: `/deliveries/${deliveryId}`,
  }),
  'job.created': ({ jobId, namespace }) => ({
    icon: 'job',
    tone: 'accent',
    text: words.jobRequested(namespace),
    href: `/jobs/${jobId}`,
  }),
  'job.updated': ({ jobId, namespace, stage }) =>
    stage === 'ERROR'
      ? { icon: 'job', tone: 'bad', text: words.jobFailed(namespace), href: `/jobs/${jobId}` }
      : undefined,
}

function appLine(text: string): EntryLine {
  return { icon: 'app', tone: 'neutral', text, href: '/apps' }
}

/** Shortens a route, which may be of any length. */
function place(match: FaultMatch): string {
  return shorten(describeMatch(match), 60, 20)
}

function faultLine(text: string) {
  return { icon: 'warning' as const, tone: 'warn' as const, text, href: '/faults' }
}

function barrierLine(text: string): EntryLine {
  return { icon: 'hold', tone: 'warn', text, href: '/faults' }
}

function snapshotLine(text: string): EntryLine {
  return { icon: 'camera', tone: 'neutral', text, href: '/settings' }
}

function webhookLine(text: string): EntryLine {
  return { icon: 'webhook', tone: 'neutral', text, href: '/webhooks' }
}
