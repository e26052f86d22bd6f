import {
  compileQuery,
  type CompiledQuery,
  type QueryContext,
} from '../../contract/query/compile-query.ts'
import type { QueryList } from '../../contract/query/query-keys.ts'
import { deliverySubject, type QueriedDelivery } from '../../contract/query/subjects.ts'
import { refuseIssues } from '../../core/refusal.ts'
import { usernames } from '../../store/names-of-accounts.ts'
import { describeTarget } from '../../hub/webhooks/control-view.ts'
import { userRef, type ViewDeps } from '../../hub/access/refs.ts'

/**
 * Reads the query of a list.
 * @param parameter name of the query parameter that holds it
 * @throws {Refusal} `invalid` with the position and the fix for each invalid word
 */
export function readQuery(
  deps: ViewDeps,
  list: QueryList,
  text: string,
  parameter = 'q',
): CompiledQuery {
  const query = compileQuery(list, text, contextOf(deps))
  refuseIssues(query.issues.map(({ message }) => ({ path: parameter, message })))
  return query
}

/** Names are only collected for the keys that a query has. */
function contextOf({ state, clock }: ViewDeps): QueryContext {
  const names = new Map<string, () => string[]>([
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

/** Builds the test of deliveries. */
export function deliveryTest(
  deps: ViewDeps,
  query: CompiledQuery,
): (row: QueriedDelivery) => boolean {
  const known = new Map<string, ReturnType<typeof namesOfWebhook>>()
  return (row) => {
    const { webhookId } = row
    const names = known.get(webhookId) ?? namesOfWebhook(deps, webhookId)
    known.set(webhookId, names)
    return query.test(deliverySubject(row, names))
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

/** Checks whether a query of deliveries includes skipped ones, which are listed on request only. */
export function wantsSkipped(query: CompiledQuery): boolean {
  return hasValue(query, 'skipped')
}

/** Checks whether a query of deliveries includes attempts of audits, which are listed on request only. */
export function wantsAudits({ terms }: CompiledQuery): boolean {
  return hasValue({ terms: terms.filter(({ key }) => key === 'source') }, 'audit')
}

function hasValue({ terms }: Pick<CompiledQuery, 'terms'>, value: string): boolean {
  return terms.some(
    ({ key, negated, values }) =>
      key !== undefined && !negated && values.some(({ text }) => text.toLowerCase() === value),
  )
}
