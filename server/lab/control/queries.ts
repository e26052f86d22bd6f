import {
  compileQuery,
  type CompiledQuery,
  type QueryContext,
} from '../../contract/query/compile-query.ts'
import type { DeliveryFilters } from '../../contract/control-deliveries.ts'
import { extentOf } from '../../contract/query/delivery-extent.ts'
import { bookmarkedMark, deliveryMarks, type QueryList } from '../../contract/query/query-keys.ts'
import { deliverySubject, type QueriedDelivery } from '../../contract/query/subjects.ts'
import { listedDeliveryStates } from '../../contract/words/webhook-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { refuseIssues } from '../../core/refusal.ts'
import type { DeliveryFilter } from '../../hub/webhooks/views/activity.ts'
import { usernames } from '../../store/names-of-accounts.ts'
import { describeTarget } from '../../hub/webhooks/control-view.ts'
import { userRef, type ViewDeps } from '../../hub/access/refs.ts'

/**
 * Reads the query of a list.
 * @param parameter name of the query parameter that holds it
 * @param marks values of `is:`, if they are others than usual
 * @throws {Refusal} `invalid` with the position and the fix for each invalid word
 */
export function readQuery(
  deps: ViewDeps,
  list: QueryList,
  text: string,
  parameter = 'q',
  marks?: readonly string[],
): CompiledQuery {
  const query = compileQuery(list, text, contextOf(deps, marks))
  refuseIssues(query.issues.map(({ message }) => ({ path: parameter, message })))
  return query
}

/** Names are only collected for the keys that a query has. */
function contextOf({ state, clock }: ViewDeps, marks?: readonly string[]): QueryContext {
  const names = new Map<string, () => readonly string[] | undefined>([
    ['is', () => marks],
    ['user', () => [...usernames(state), 'deleted']],
    ['app', () => [...state.apps.values()].flatMap(({ name, id }) => [name, id])],
    [
      'webhook',
      () =>
        [...state.webhooks.values()].flatMap((webhook) => [
          webhook.id,
          webhook.name ?? '',
          describeTarget(webhook),
        ]),
    ],
  ])
  return { now: clock.now(), known: (key) => names.get(key)?.() }
}

/** Filters of deliveries, as the list, its sums and its ids read them. */
type GivenFilters = Omit<DeliveryFilters, 'cursor'>

/**
 * Reads the filters of deliveries.
 * @throws {Refusal} `invalid` with the position and the fix for each invalid word of the query
 */
export function readDeliveryFilters(
  deps: ViewDeps,
  { since, state, q = '', audits, bookmarks, ...rest }: GivenFilters,
): DeliveryFilter {
  const marked = bookmarks === undefined ? undefined : new Set(bookmarks.split(','))
  const query = readQuery(deps, 'deliveries', q, 'q', marked && [...deliveryMarks, bookmarkedMark])
  const extent = extentOf(query)
  return {
    ...rest,
    ...omitUndefined({
      state: state?.split(',') ?? (extent.skipped ? listedDeliveryStates : undefined),
      since: since === undefined ? undefined : Date.parse(since),
    }),
    audits: extent.audits || audits === '1',
    ...(query.terms.length > 0 && { test: deliveryTest(deps, query, marked) }),
  }
}

/** Builds the test of deliveries. */
function deliveryTest(
  deps: ViewDeps,
  query: CompiledQuery,
  marked: ReadonlySet<string> | undefined,
): (row: QueriedDelivery) => boolean {
  const known = new Map<string, ReturnType<typeof namesOfWebhook>>()
  return (row) => {
    const { id, webhookId } = row
    const names = known.get(webhookId) ?? namesOfWebhook(deps, webhookId)
    known.set(webhookId, names)
    return query.test(deliverySubject(row, names, marked?.has(id) === true ? [bookmarkedMark] : []))
  }
}

function namesOfWebhook(deps: ViewDeps, id: string) {
  const webhook = deps.state.webhooks.get(id)
  return (
    webhook && {
      name: webhook.name,
      target: describeTarget(webhook),
      owner: userRef(deps, webhook.ownerId).username,
    }
  )
}
