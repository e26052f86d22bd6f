import type { FaultMatch } from '../../../../server/contract/control-faults.ts'
import type { LiveData, LiveEntry, LiveType } from '../../../../server/contract/live.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { describeMatch } from '../../../shared/fault-text.ts'
import { plural, shorten } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'

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

const nobody: EntryNames = { user: () => '', app: () => '', webhook: () => '' }

/** Whether {@link describeEntry} has a sentence for the fact. */
export function isTold(entry: LiveEntry): boolean {
  return describeEntry(entry, nobody) !== undefined
}

/** Whether the fact is something that went wrong. */
export function tellsOfFailure(entry: LiveEntry): boolean {
  return describeEntry(entry, nobody)?.tone === 'bad'
}

/** A fact as a sentence; `undefined` for those that only tell a step of what is told anyway. */
export function describeEntry({ type, data }: LiveEntry, names: EntryNames): EntryLine | undefined {
  // Type and data of an entry belong together, which the compiler does not see in a table.
  const tell = tellers[type] as
    | ((data: unknown, names: EntryNames) => EntryLine | undefined)
    | undefined
  return tell?.(data, names)
}

const tellers: {
  [T in LiveType]?: (data: LiveData[T], names: EntryNames) => EntryLine | undefined
} = {
  'sandbox.started': ({ url }) => ({
    icon: 'play',
    tone: 'neutral',
    text: `The sandbox was started at ${url}`,
  }),
  'sandbox.resumed': ({ madeAt }) => ({
    icon: 'play',
    tone: 'neutral',
    text: 'The recorded run goes on',
    detail: `written down ${madeAt}`,
  }),
  'sandbox.reset': ({ snapshot, erasedRequests }) =>
    omitUndefined({
      icon: 'retry' as const,
      tone: 'neutral' as const,
      text:
        snapshot === undefined
          ? 'Everything was reset to the fixtures'
          : `The snapshot ${snapshot} was restored`,
      detail:
        erasedRequests > 0
          ? `The request log began anew: ${plural(erasedRequests, 'request')} forgotten`
          : undefined,
    }),
  'clock.changed': () => ({ icon: 'clock', tone: 'warn', text: 'The clock was moved' }),
  // Those that went well are told by what they did.
  'request.completed': ({ id, method, path, status, error, detail }) =>
    error
      ? omitUndefined({
          icon: 'request' as const,
          tone: 'bad' as const,
          text: `${method} ${path.split('?')[0]} refused: ${status} ${error}`,
          href: `/requests/${id}`,
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
    text: `${names.user(userId)} allowed ${names.app(clientId)}`,
    detail: scopes.join(' '),
    href: '/connected',
  }),
  'authorization.denied': ({ clientId, error, detail }, names) =>
    omitUndefined({
      icon: 'cross' as const,
      tone: 'bad' as const,
      text: `${names.app(clientId)} was not allowed: ${error}`,
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
    text: `Token for ${names.user(userId)}${clientId ? ` to ${names.app(clientId)}` : ''}`,
    detail: grant.replaceAll('_', ' '),
    href: '/tokens',
  }),
  'token.refused': ({ error, detail }) => ({
    icon: 'token',
    tone: 'bad',
    text: `Token refused: ${error}`,
    detail,
    href: '/requests',
  }),
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
    text: `${names.app(clientId)} waits with device code ${userCode}`,
  }),
  'device.approved': ({ userId, userCode }, names) => ({
    icon: 'screen',
    tone: 'ok',
    text: `${names.user(userId)} approved ${userCode}`,
  }),
  'device.denied': ({ userId, userCode }, names) => ({
    icon: 'screen',
    tone: 'bad',
    text: `${names.user(userId)} denied ${userCode}`,
  }),
  'app.created': ({ clientId }, names) => appLine(`App created: ${names.app(clientId)}`),
  'app.updated': ({ clientId }, names) => appLine(`App updated: ${names.app(clientId)}`),
  // Its name went with it.
  'app.deleted': ({ clientId }) => appLine(`App deleted: ${clientId}`),
  'key.rotated': ({ kid }) => ({ icon: 'key', tone: 'warn', text: `Signing key rotated: ${kid}` }),
  'fault.added': ({ match }) => faultLine(`Fault added: ${place(match)}`),
  'fault.hit': ({ match, left }) =>
    omitUndefined({
      ...faultLine(`A fault struck ${place(match)}`),
      detail: left === 0 ? 'for the last time' : undefined,
    }),
  'fault.removed': ({ match }) => faultLine(`Fault removed: ${place(match)}`),
  'barrier.added': ({ match }) => barrierLine(`Barrier set up: ${place(match)}`),
  'barrier.held': ({ match }) => barrierLine(`A request is held: ${place(match)}`),
  'barrier.left': ({ match }) =>
    barrierLine(`The client of a held request hung up: ${place(match)}`),
  'barrier.released': ({ match, held }) =>
    barrierLine(`Barrier released: ${place(match)}, ${plural(held, 'request')} went on`),
  'snapshot.kept': ({ name }) => snapshotLine(`The snapshot ${name} was kept`),
  'snapshot.deleted': ({ name }) => snapshotLine(`The snapshot ${name} was deleted`),
  'hub.event': ({ scope, action, repo, cause }) =>
    omitUndefined({
      icon: 'repo' as const,
      tone: 'accent' as const,
      text: `${scope} · ${action} in ${repo.name}`,
      detail: { api: undefined, trigger: 'triggered', synthetic: 'sent only' }[cause],
    }),
  'webhook.suspended': ({ webhookId, reason }, names) => ({
    icon: 'warning',
    tone: 'bad',
    text: `${names.webhook(webhookId)} was suspended`,
    detail: reason,
    href: '/webhooks',
  }),
  'webhook.created': () => webhookLine('Webhook created'),
  'webhook.deleted': () => webhookLine('Webhook deleted'),
  'delivery.succeeded': ({ deliveryId, webhookId, scope, action, status }, names) =>
    // An answer and the exit code of a job have a status.
    status === undefined
      ? {
          icon: 'job',
          tone: 'neutral',
          text: `The job of ${names.webhook(webhookId)} was recorded and not run`,
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
    text: `${names.webhook(webhookId)} did not take ${scope} · ${action}`,
    detail: `attempt ${attempt}, will be tried again`,
    href: `/deliveries/${deliveryId}`,
  }),
  'delivery.failed': ({ deliveryId, webhookId, scope, action, error, status }, names) => ({
    icon: 'cross',
    tone: 'bad',
    text: `${names.webhook(webhookId)} did not take ${scope} · ${action}`,
    detail: error?.message ?? `answered ${status ?? 'nothing'}`,
    href: `/deliveries/${deliveryId}`,
  }),
  'job.created': ({ jobId, namespace }) => ({
    icon: 'job',
    tone: 'accent',
    text: `Job asked for by ${namespace}`,
    href: `/jobs/${jobId}`,
  }),
  'job.updated': ({ jobId, namespace, stage }) =>
    stage === 'ERROR'
      ? { icon: 'job', tone: 'bad', text: `Job of ${namespace} failed`, href: `/jobs/${jobId}` }
      : undefined,
}

function appLine(text: string): EntryLine {
  return { icon: 'app', tone: 'neutral', text, href: '/apps' }
}

/** A route may be as long as its writer likes. */
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
