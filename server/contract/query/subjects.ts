import type { FlowItem, RequestItem } from '../control-requests.ts'
import { responseTimeOf, statusWordsOf } from '../delivery-result.ts'
import { resultOf } from '../flow-result.ts'
import type { DeliveryErrorClass, ListedDeliveryState } from '../words/webhook-words.ts'
import type { QuerySubject } from './compile-query.ts'
import type { FieldValue } from './read-value.ts'
import { requestKindOf } from './request-kind.ts'

type Fields<T> = ReadonlyMap<string, (item: T) => readonly FieldValue[]>

/** A map, because the keys come from outside. */
function fieldsOf<T>(fields: Record<string, (item: T) => readonly FieldValue[]>): Fields<T> {
  return new Map(Object.entries(fields))
}

const appNames = ({ app }: Pick<RequestItem, 'app'>) => [app?.name, app?.clientId]
const time = ({ at }: Pick<RequestItem, 'at'>) => [Date.parse(at)]

const requestFields = fieldsOf<RequestItem>({
  kind: ({ path }) => [requestKindOf(path)],
  status: ({ status }) => [status],
  app: appNames,
  user: ({ user }) => [user?.username],
  method: ({ method }) => [method],
  route: ({ path }) => [path.split('?', 1)[0]],
  error: ({ error }) => [error],
  grant: ({ grantType }) => [grantType],
  flow: ({ flowId }) => [flowId],
  model: ({ inference }) => [inference?.model],
  rule: ({ inference }) => [inference?.rule],
  reason: ({ error, detail }) => [detail || error],
  is: ({ error, expected, faultChanges, audit }) => [
    // A request of an audit is refused on purpose.
    ...(error !== undefined && expected !== true && audit !== true ? ['refused'] : []),
    ...(faultChanges === undefined ? [] : ['broken']),
    ...(audit === true ? ['audit'] : []),
  ],
  took: ({ durationMs }) => [durationMs],
  from: time,
  to: time,
})

/** Prepares a request for the test of a query. */
export function requestSubject(item: RequestItem): QuerySubject {
  const { method, path, error = '', detail = '' } = item
  return {
    text: () => [method, path, error, detail].join(' '),
    values: (key) => requestFields.get(key)?.(item) ?? [],
  }
}

const flowFields = fieldsOf<FlowItem>({
  kind: ({ kind }) => [kind],
  status: (flow) => [resultOf(flow), ...flow.requests.map(({ status }) => status)],
  app: appNames,
  user: ({ user }) => [user?.username],
  error: ({ requests }) => requests.map(({ error }) => error),
  is: ({ changed, audit }) => [
    ...(changed === true ? ['broken'] : []),
    ...(audit === true ? ['audit'] : []),
  ],
  took: ({ startedAt, lastAt }) => [Date.parse(lastAt) - Date.parse(startedAt)],
  from: ({ lastAt }) => [Date.parse(lastAt)],
  to: ({ startedAt }) => [Date.parse(startedAt)],
})

/**
 * Prepares a sign-in; it matches a span of time that it overlaps.
 * @param title name of its kind where it is shown, which is searched, too
 */
export function flowSubject(item: FlowItem, title = ''): QuerySubject {
  const { id, kind, explanation, requests, user } = item
  const ids = () => requests.map((request) => request.id)
  return {
    text: () =>
      [id, kind, title, ...appNames(item), user?.username, explanation, ...ids()].join('\n'),
    values: (key) => flowFields.get(key)?.(item) ?? [],
  }
}

/** Delivery with the outcome of its last attempt. */
export interface QueriedDelivery {
  id: string
  webhookId: string
  eventId: string
  scope: string
  action: string
  repo: string
  repoType: string
  state: ListedDeliveryState
  recorded?: boolean | undefined
  /** Whether one of its attempts has ended. */
  hasEnded: boolean
  /** Milliseconds since 1970. */
  at: number
  attempts: number
  source?: string | undefined
  status?: number | undefined
  errorClass?: DeliveryErrorClass | undefined
  durationMs?: number | undefined
  /** True if its last attempt ran a job: the duration of a job is not a response time. */
  isJob?: boolean | undefined
  derivedFrom?: string | undefined
  duplicate?: boolean | undefined
  synthetic?: boolean | undefined
  /** Whether its first attempt succeeded. */
  atFirst?: boolean | undefined
}

/** Webhook of a delivery; a deleted one has no names. */
export interface QueriedWebhook {
  name?: string | undefined
  target?: string | undefined
  owner?: string | undefined
}

interface DeliveryOfWebhook {
  row: QueriedDelivery
  webhook: QueriedWebhook | undefined
  marks: readonly string[]
}

const webhookNames = ({ row, webhook }: DeliveryOfWebhook) => [
  webhook?.name,
  webhook?.target,
  row.webhookId,
]

const deliveryFields = fieldsOf<DeliveryOfWebhook>({
  id: ({ row }) => [row.id],
  event: ({ row }) => [row.eventId],
  kind: ({ row }) => [row.scope],
  status: ({ row }) => [...statusWordsOf(row), row.status],
  webhook: webhookNames,
  user: ({ webhook }) => [webhook?.owner],
  repo: ({ row: { repo, repoType } }) => [repo, `${repoType}s/${repo}`],
  action: ({ row }) => [row.action],
  attempt: ({ row }) => [row.attempts],
  error: ({ row }) => [row.errorClass],
  source: ({ row }) => [row.source],
  is: ({ row: { derivedFrom, duplicate, synthetic, atFirst }, marks }) => [
    ...marks,
    ...(derivedFrom === undefined ? [] : [duplicate === true ? 'duplicate' : 'edited']),
    ...(synthetic === true ? ['synthetic'] : []),
    ...(atFirst === true ? ['first-try'] : []),
  ],
  took: ({ row }) => [responseTimeOf(row)],
  from: ({ row }) => [row.at],
  to: ({ row }) => [row.at],
})

/**
 * Prepares a delivery.
 * @param marks further values of `is:`
 */
export function deliverySubject(
  row: QueriedDelivery,
  webhook: QueriedWebhook | undefined,
  marks: readonly string[] = [],
): QuerySubject {
  const delivery = { row, webhook, marks }
  const { repo, scope, action, id, eventId } = row
  return {
    text: () => [repo, scope, action, id, eventId, ...webhookNames(delivery)].join('\n'),
    values: (key) => deliveryFields.get(key)?.(delivery) ?? [],
  }
}
