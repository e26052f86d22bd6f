import { nameOfWebhook } from '../../contract/webhook-name.ts'
import { describeTarget } from '../../hub/webhooks/control-view.ts'
import type { FixDeps } from './offer.ts'

/** Number of names listed for each kind; the others are summarized. */
const mostNamed = 5

/**
 * Lists what expires or becomes due when the clock moves on. ID tokens are not among it: clients check them by real time.
 * @param until time of the clock after the move, in milliseconds since 1970
 * @returns one sentence for each kind of thing
 */
export function describeExpiring(deps: Pick<FixDeps, 'clock' | 'state'>, until: number): string[] {
  const { clock, state } = deps
  const now = clock.now()
  const ends = ({ expiresAt = Infinity }: { expiresAt?: number }) =>
    expiresAt > now && expiresAt <= until
  const nameOf = (userId: string) => state.users.get(userId)?.username ?? 'a deleted user'
  const webhookOf = (id: string) => {
    const webhook = state.webhooks.get(id)
    if (webhook === undefined) return 'a deleted webhook'
    return nameOfWebhook({ name: webhook.name, target: describeTarget(webhook) })
  }
  const appOf = (clientId: string) => state.apps.get(clientId)?.name ?? clientId

  const tokens = [...state.tokens.values()].filter(({ revokedAt }) => revokedAt === undefined)
  const codes = [...state.codes.values()].filter((code) => code.usedAt === undefined && ends(code))
  const devices = [...state.deviceAuthorizations.values()].filter(
    (device) => (device.status === 'pending' || device.status === 'approved') && ends(device),
  )
  const due = state.deliveries
    .group('state', 'waiting')
    .filter(({ nextRetryAt = Infinity }) => nextRetryAt > now && nextRetryAt <= until)
  return [
    ...describe('access token', 'expires', tokens.filter(ends), ({ userId, clientId }) =>
      clientId === undefined ? nameOf(userId) : `${nameOf(userId)} at ${appOf(clientId)}`,
    ),
    ...describe('authorization code', 'expires', codes, ({ clientId }) => appOf(clientId)),
    ...describe('device code', 'expires', devices, ({ userCode }) => userCode),
    ...describe(
      'sign-in of a browser',
      'expires',
      [...state.sessions.values()].filter(ends),
      (session) => nameOf(session.userId),
    ),
    ...describe(
      'link',
      'expires',
      [...state.links.values()].filter(ends),
      ({ port }) => `port ${port}`,
    ),
    ...describe('retry of a delivery', 'falls due', due, ({ webhookId }) => webhookOf(webhookId)),
  ]
}

/** `2 access tokens expire: alice at Notes, bob at Notes.` */
function describe<T>(
  what: string,
  verb: 'expires' | 'falls due',
  items: readonly T[],
  nameOf: (item: T) => string,
): string[] {
  if (items.length === 0) return []
  const names = [...new Set(items.map(nameOf))]
  const named = names.slice(0, mostNamed).join(', ')
  const more = names.length > mostNamed ? ' and others' : ''
  const subject = items.length === 1 ? `1 ${what}` : `${items.length} ${plural(what)}`
  const predicate = items.length === 1 ? verb : verb.replace(/s\b/, '')
  return [`${subject} ${predicate}: ${named}${more}.`]
}

function plural(what: string): string {
  if (what === 'retry of a delivery') return 'retries of deliveries'
  return what === 'sign-in of a browser' ? 'sign-ins of browsers' : `${what}s`
}
