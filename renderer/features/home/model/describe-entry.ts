import type { FaultMatch } from '../../../../server/contract/control-faults.ts'
import type { LiveData, LiveEntry, LiveType } from '../../../../server/contract/live.ts'
import { pollAgainErrors, userDenials } from '../../../../server/contract/words/oauth-words.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { outcomeLooks } from '../../../shared/flow-looks.ts'
import { describeMatch } from '../../../shared/fault-text.ts'
import { plural, shorten } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'
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
  const line = describe?.(data, names)
  if (line === undefined) return undefined
  const { text, detail, ...rest } = line
  return {
    ...rest,
    text: visibleControls(text),
    ...(detail !== undefined && { detail: visibleControls(detail) }),
  }
}

const descriptions: {
  [T in LiveType]?: (data: LiveData[T], names: EntryNames) => EntryLine | undefined
} = {
  'sandbox.started': ({ url }) => ({
    icon: 'play',
    tone: 'neutral',
    text: `Sandbox started at ${url}`,
  }),
  'sandbox.reset': ({ snapshot, erasedRequests }) =>
    omitUndefined({
      icon: 'retry' as const,
      tone: 'neutral' as const,
      text:
        snapshot === undefined ? 'Sandbox reset to the fixtures' : `Snapshot ${snapshot} restored`,
      detail:
        erasedRequests > 0
          ? `Request log cleared: ${plural(erasedRequests, 'request')}`
          : undefined,
    }),
  'clock.changed': () => ({ icon: 'clock', tone: 'warn', text: 'Clock changed' }),
  // Successful requests show by their effects.
  'request.completed': ({ id, method, path, status, error, expected, detail, flowId, audit }) =>
    error && !expected
      ? omitUndefined({
          icon: 'request' as const,
          // A request of an audit is refused on purpose.
          tone: audit === true ? ('neutral' as const) : ('bad' as const),
          text: `${audit === true ? words.byAudit : ''}${method} ${path.replace(/\?.*/, '')} refused: ${status} ${error}`,
          href: flowId ? `/sign-ins/${encodeURIComponent(flowId)}` : `/requests/${id}`,
          detail: detail || undefined,
        })
      : undefined,
  'session.started': ({ username }) => ({
    icon: 'people',
    tone: 'accent',
    text: `${username} signed in`,
  }),
  'session.ended': ({ userId }, names) => ({
    icon: 'people',
    tone: 'neutral',
    text: `${names.user(userId)} signed out`,
  }),
  'authorization.granted': ({ userId, clientId, scopes }, names) => ({
    icon: 'check',
    tone: 'ok',
    text: `${names.user(userId)} authorized ${names.app(clientId)}`,
    detail: scopes.join(' '),
    href: '/consents',
  }),
  'authorization.denied': ({ userId, clientId, error, detail }, names) =>
    isDenial(detail)
      ? {
          ...deniedLook,
          text: `${userId === undefined ? words.theUser : names.user(userId)} denied ${names.app(clientId)}`,
          href: deniedPath,
        }
      : omitUndefined({
          icon: 'cross' as const,
          tone: 'bad' as const,
          text: `Authorization of ${names.app(clientId)} failed: ${error}`,
          detail: detail || undefined,
        }),
  'consent.revoked': ({ userId, clientId }, names) => ({
    icon: 'connected',
    tone: 'neutral',
    text: `${names.user(userId)} disconnected ${names.app(clientId)}`,
  }),
  'token.issued': ({ userId, clientId, grant }, names) => ({
    icon: 'token',
    tone: 'ok',
    text: clientId
      ? `${names.app(clientId)} got a token for ${names.user(userId)}`
      : `Token issued for ${names.user(userId)}`,
    detail: grant.replaceAll('_', ' '),
    href: '/tokens',
  }),
  'token.refused': ({ error, detail }) =>
    // The denial of a device is a fact of its own.
    pollAgainErrors.has(error) || isDenial(detail)
      ? undefined
      : {
          icon: 'token',
          tone: 'bad',
          text: `Token refused: ${error}`,
          detail,
          href: '/requests',
        },
  'token.revoked': ({ userId, because }, names) => ({
    icon: 'token',
    tone: 'neutral',
    text: `Token of ${names.user(userId)} revoked`,
    detail: because,
    href: '/tokens?state=revoked',
  }),
  'device.requested': ({ clientId, userCode }, names) => ({
    icon: 'screen',
    tone: 'accent',
    text: `${names.app(clientId)} is waiting for approval of device code ${userCode}`,
  }),
  'device.approved': ({ userId, userCode }, names) => ({
    icon: 'screen',
    tone: 'ok',
    text: `${names.user(userId)} approved ${userCode}`,
  }),
  'device.denied': ({ userId, userCode }, names) => ({
    ...deniedLook,
    text: `${names.user(userId)} denied ${userCode}`,
    href: deniedPath,
  }),
  'app.created': ({ clientId }, names) => appLine(`App created: ${names.app(clientId)}`),
  'app.updated': ({ clientId }, names) => appLine(`App updated: ${names.app(clientId)}`),
  // The name of a deleted app is unknown.
  'app.deleted': ({ clientId }) => appLine(`App deleted: ${clientId}`),
  'advice.found': ({ level, rule }) => ({
    icon: 'warning',
    tone: level === 'error' ? 'bad' : 'warn',
    text: `Check found a mistake: ${rule}`,
  }),
  'key.rotated': ({ kid }) => ({ icon: 'key', tone: 'warn', text: `Signing key rotated: ${kid}` }),
  'fault.added': ({ match }) => faultLine(`Fault added: ${place(match)}`),
  'fault.hit': ({ match, left }) =>
    omitUndefined({
      ...faultLine(`Fault applied to ${place(match)}`),
      detail: left === 0 ? 'last time' : undefined,
    }),
  'fault.removed': ({ match }) => faultLine(`Fault removed: ${place(match)}`),
  'barrier.added': ({ match }) => barrierLine(`Barrier added: ${place(match)}`),
  'barrier.held': ({ match }) => barrierLine(`Request held: ${place(match)}`),
  'barrier.left': ({ match }) =>
    barrierLine(`Client of a held request disconnected: ${place(match)}`),
  'barrier.released': ({ match, held }) =>
    barrierLine(`Barrier released: ${place(match)}, ${plural(held, 'request')} continued`),
  'snapshot.kept': ({ name }) => snapshotLine(`Snapshot ${name} saved`),
  'snapshot.deleted': ({ name }) => snapshotLine(`Snapshot ${name} deleted`),
  'hub.event': ({ scope, action, repo, cause }) =>
    omitUndefined({
      icon: 'repo' as const,
      tone: 'accent' as const,
      text: `${scope} · ${action} in ${repo.name}`,
      detail: { api: undefined, trigger: 'triggered', synthetic: 'payload only' }[cause],
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
    text: `${names.webhook(webhookId)} suspended`,
    detail: reason,
    href: '/webhooks',
  }),
  'webhook.back': ({ webhookId, succeeded, failed }, names) => ({
    icon: failed === 0 ? 'check' : 'retry',
    tone: failed === 0 ? 'ok' : 'warn',
    text: `${names.webhook(webhookId)} is back: ${plural(succeeded, 'delivery', 'deliveries')} replayed`,
    ...(failed > 0 && { detail: words.countFailed(String(failed)) }),
    href: `/webhooks/${webhookId}/activity`,
  }),
  'webhook.created': () => webhookLine('Webhook created'),
  'webhook.deleted': () => webhookLine('Webhook deleted'),
  'delivery.succeeded': ({ deliveryId, webhookId, scope, action, status }, names) =>
    // Responses and exit codes have a status.
    status === undefined
      ? {
          icon: 'job',
          tone: 'neutral',
          text: `Job of ${names.webhook(webhookId)} not run`,
          href: `/deliveries/${deliveryId}`,
        }
      : {
          icon: 'check',
          tone: 'ok',
          text: `Delivered ${scope} · ${action} to ${names.webhook(webhookId)}`,
          href: `/deliveries/${deliveryId}`,
        },
  'delivery.waiting': ({ deliveryId, webhookId, scope, action, attempt }, names) => ({
    icon: 'retry',
    tone: 'warn',
    text: `Delivery to ${names.webhook(webhookId)} failing: ${scope} · ${action}`,
    detail: `attempt ${attempt}, will retry`,
    href: `/deliveries/${deliveryId}`,
  }),
  'delivery.failed': ({ deliveryId, webhookId, scope, action, error, status }, names) => ({
    icon: 'cross',
    tone: 'bad',
    text: `Delivery to ${names.webhook(webhookId)} failed: ${scope} · ${action}`,
    detail: error?.message ?? words.responseStatus(status ?? 'nothing'),
    href: `/deliveries/${deliveryId}`,
  }),
  'delivery.cancelled': ({ deliveryId, webhookId, scope, action, because }, names) => ({
    icon: 'minus',
    tone: 'neutral',
    text: `Delivery to ${names.webhook(webhookId)} cancelled: ${scope} · ${action}`,
    detail: because,
    href: `/deliveries/${deliveryId}`,
  }),
  'job.created': ({ jobId, namespace }) => ({
    icon: 'job',
    tone: 'accent',
    text: `${namespace} requested a job`,
    href: `/jobs/${jobId}`,
  }),
  'job.updated': ({ jobId, namespace, stage }) =>
    stage === 'ERROR'
      ? { icon: 'job', tone: 'bad', text: `Job of ${namespace} failed`, href: `/jobs/${jobId}` }
      : undefined,
}

/** A user may deny: look of a sign-in that ended so. */
const deniedLook = {
  icon: outcomeLooks.denied.icon,
  tone: outcomeLooks.denied.tone,
} as const
const deniedPath = '/sign-ins?outcome=denied'

/** Checks whether an explanation is that of a user who denied on purpose. */
function isDenial(detail: string | undefined): boolean {
  return detail !== undefined && Object.values<string>(userDenials).includes(detail)
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
