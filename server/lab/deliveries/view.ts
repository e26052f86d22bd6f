import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { DeliveryStory } from '../../contract/control-deliveries.ts'
import { walkAncestors } from '../../hub/files/history.ts'
import { headsOf } from '../../hub/files/revisions.ts'
import { partiesOf } from '../../inspect/flows/parties.ts'
import type { Commit } from '../../hub/files/git-objects.ts'
import type { Delivery } from '../../store/entities/webhook-entities.ts'
import { chainOf } from '../../hub/webhooks/publish/causes.ts'
import {
  findWindow,
  isWithin,
  readReportedChange,
  type ReportedChange,
  type Window,
} from '../../hub/webhooks/views/delivery-effects.ts'
import type { ServerDeps } from '../server-deps.ts'
import { describeCommit } from '../../hub/repo-control/content-view.ts'
import { describeRequest } from '../requests/view.ts'
import { userRef } from '../../hub/access/refs.ts'

const most = 100

/** Describes the cause of a delivery and its possible effects. */
export function describeStory(deps: ServerDeps, delivery: Delivery): DeliveryStory {
  const { state } = deps
  const { cause, actorId } = delivery
  const reported = readReportedChange(delivery, state.deliveryBodies.get(delivery.id)?.body)
  const window = findWindow(state.attempts.group('delivery', delivery.id))
  return {
    ...omitUndefined({ cause, discussion: reported.discussion, commitId: reported.commitIds[0] }),
    ...(actorId !== undefined && { actor: userRef(deps, actorId) }),
    explanation: explainCause(deps, delivery),
    chain: chainOf(deps, delivery.causedBy).map(describeLink),
    ...(window && { effects: describeEffects(deps, delivery, window, reported) }),
  }
}

function describeLink({ id, webhookId, scope, action, state, createdAt }: Delivery) {
  return { id, webhookId, scope, action, state, createdAt: isoTime(createdAt) }
}

function explainCause(deps: ServerDeps, { cause, actorId, derivedFrom, duplicate }: Delivery) {
  const who = actorId === undefined ? 'the Hub itself' : userRef(deps, actorId).username
  const copied =
    derivedFrom === undefined ? '' : ` Sent again by hand${duplicate ? '' : ', edited'}.`
  switch (cause) {
    case 'api':
      return `A call of an API changed the Hub as ${who}.${copied}`
    case 'trigger':
      return `A user of the sandbox triggered it by hand, as ${who}.${copied}`
    case 'synthetic':
      return `A payload was sent without a change of the Hub.${copied}`
    default:
      return `The cause is unknown: an earlier version recorded this delivery.${copied}`
  }
}

function describeEffects(
  deps: ServerDeps,
  delivery: Delivery,
  window: Window,
  reported: ReportedChange,
): NonNullable<DeliveryStory['effects']> {
  const { state, requests } = deps
  const ownerId = state.webhooks.get(delivery.webhookId)?.ownerId
  const owner = ownerId === undefined ? undefined : userRef(deps, ownerId).username
  const ofOwner = requests
    .values()
    .filter((record) => isWithin(window, record.at))
    .filter((record) => ownerId !== undefined && partiesOf(deps, record).userId === ownerId)
  const others = state.deliveries
    .group('webhook', delivery.webhookId)
    .filter(({ eventId, createdAt }) => eventId !== delivery.eventId && isWithin(window, createdAt))
  return {
    from: isoTime(window.from),
    to: isoTime(window.to),
    basis: explainBasis(deps, owner),
    requests: ofOwner
      .slice(0, most)
      .map((record) => describeRequest(deps, record, requests.flows.ofRequest(record.id)?.id)),
    commits: findCommits(deps, delivery, window, reported).slice(0, most).map(describeCommit),
    deliveries: others.slice(0, most).map(({ id, scope, action, createdAt }) => ({
      id,
      scope,
      action,
      createdAt: isoTime(createdAt),
    })),
  }
}

/** Finds commits since the attempt started; commit dates have whole seconds, so its own second counts. */
function findCommits(
  { state, objects }: ServerDeps,
  { repoId }: Delivery,
  window: Window,
  reported: ReportedChange,
): Commit[] {
  const repo = state.repos.get(repoId)
  if (repo === undefined) return []
  const from = Math.floor(window.from / 1000) * 1000
  const store = objects.of(repo)
  return [...walkAncestors(store, headsOf(store, repo))]
    .filter(
      ({ id, date }) => !reported.commitIds.includes(id) && isWithin({ ...window, from }, date),
    )
    .toSorted((a, b) => b.date - a.date)
}

function explainBasis({ clock }: ServerDeps, owner: string | undefined): string {
  const who =
    owner === undefined
      ? 'The webhook was deleted, so its receiver is unknown'
      : `Requests are those with a token or session of ${owner}, who owns the webhook`
  const when = clock.read().frozen
    ? 'The clock is frozen, so earlier and later requests cannot be told apart.'
    : 'All of it happened between the start of the last attempt and 5 s after its end; others may have done it.'
  return `Inferred: a receiver does not report what it does. ${who}. ${when}`
}
