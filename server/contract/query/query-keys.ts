import { eventActions, eventScopes } from '../words/hub-words.ts'
import { flowKinds, flowResults } from '../words/sandbox-words.ts'
import { deliveryStatusWords, listedAttemptSources } from '../words/webhook-words.ts'
import { requestKinds } from './request-kind.ts'

/** Lists that a query can filter. */
export const queryLists = ['requests', 'flows', 'deliveries'] as const
export type QueryList = (typeof queryLists)[number]

/**
 * Types of values: `name` matches a known name or part of one, `start` the start of a string with `*` for any characters,
 * `part` any part, `status` numbers and words, `duration` and `count` comparisons, `from` and `to` times.
 */
export type ValueType = 'name' | 'start' | 'part' | 'status' | 'duration' | 'count' | 'from' | 'to'

export interface QueryKey {
  type: ValueType
  /** Name of a value, if it is not that of the key. */
  noun?: string
  /** Values it takes. */
  help: string
  /** Closed set of names. */
  known?: readonly string[]
  /** Values to offer for completion besides the known names. */
  offers?: readonly string[]
  /** Other names of the key. */
  aliases?: readonly string[]
}

const times = {
  took: {
    type: 'duration',
    help: 'a duration with a unit, such as >1s or <200ms',
    offers: ['>100ms', '>1s', '>10s'],
  },
  from: {
    type: 'from',
    help: '10m (ago), or a time in UTC such as 14:30 or 2026-05-01T14:30',
    offers: ['5m', '1h', '1d'],
    aliases: ['after', 'since', 'last'],
  },
  to: { type: 'to', help: '10m (ago), or a time in UTC such as 14:30', aliases: ['before'] },
} as const satisfies Record<string, QueryKey>

const statuses = ['2xx', '3xx', '4xx', '5xx', '>=400'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const app = { type: 'name', help: 'name or client id of an app' } as const
const user = { type: 'name', help: 'a username' } as const
const error = { type: 'part', help: 'an error code, or a part of it' } as const

/** Marks of deliveries that the sandbox knows. */
export const deliveryMarks = ['edited', 'duplicate', 'synthetic', 'first-try'] as const
/** Mark that callers keep themselves: they send the ids. */
export const bookmarkedMark = 'bookmarked'

/** Keys of a query by list, in the order in which they are offered. */
export const queryKeys: Readonly<Record<QueryList, Readonly<Record<string, QueryKey>>>> = {
  requests: {
    kind: { type: 'name', help: 'kind of request', known: requestKinds },
    status: {
      type: 'status',
      offers: statuses,
      help: '404, 4xx or >=400 (0: the connection was cut)',
    },
    app,
    user,
    method: { type: 'name', help: 'GET, POST, …', known: methods },
    route: {
      type: 'start',
      offers: ['/oauth/', '/api/'],
      help: 'start of a path; * matches any characters',
    },
    error,
    reason: {
      type: 'start',
      help: 'start of the explanation of an error; in quotes the whole of it',
    },
    grant: { type: 'part', help: 'grant_type of a token request, or a part of it' },
    flow: { type: 'start', help: 'id of a sign-in' },
    model: { type: 'part', help: 'model of an inference request, or a part of its name' },
    rule: { type: 'count', help: 'the number of the inference rule that matched: 2, >0 (0: none)' },
    is: {
      type: 'name',
      noun: 'mark',
      help: 'refused, broken by a fault, or part of an audit',
      known: ['refused', 'broken', 'audit'],
    },
    ...times,
  },
  flows: {
    kind: { type: 'name', help: 'grant that the app uses', known: flowKinds },
    status: {
      type: 'status',
      offers: statuses,
      help: 'an HTTP status of any request (404, 4xx, >=400), or a result',
      known: flowResults,
      aliases: ['outcome'],
    },
    app,
    user,
    error,
    is: {
      type: 'name',
      noun: 'mark',
      help: 'broken by a fault, or begun by an audit',
      known: ['broken', 'audit'],
    },
    ...times,
  },
  deliveries: {
    id: { type: 'start', help: 'id of a delivery; several with commas' },
    event: { type: 'start', help: 'id of the event; several with commas' },
    kind: {
      type: 'name',
      help: 'scope of the event; repo includes narrower scopes, "repo" does not',
      known: eventScopes,
      aliases: ['scope'],
    },
    status: {
      type: 'status',
      offers: statuses,
      help: 'an HTTP status (404, 5xx, >=400), or a state',
      known: deliveryStatusWords,
      aliases: ['code', 'state'],
    },
    webhook: { type: 'name', help: 'name, target or id of a webhook' },
    user: { type: 'name', help: 'owner of the webhook' },
    repo: { type: 'start', help: 'start of namespace/name; * matches any characters' },
    action: { type: 'name', help: 'action of the event', known: eventActions },
    attempt: { type: 'count', help: 'number of attempts: 1, >1' },
    error,
    source: {
      type: 'name',
      help: 'cause of the last attempt; attempts of audits are listed with source:audit only',
      known: listedAttemptSources,
    },
    is: {
      type: 'name',
      noun: 'mark',
      help: 'a mark of the delivery',
      known: deliveryMarks,
    },
    ...times,
  },
}

/** Finds the key of a list by its name or an alias. */
export function findKey(list: QueryList, name: string): [string, QueryKey] | undefined {
  const wanted = name.toLowerCase()
  return Object.entries(queryKeys[list]).find(
    ([key, { aliases }]) => key === wanted || aliases?.includes(wanted) === true,
  )
}
