import type { Deps } from '../events/deps.ts'
import { deviceCodeGrant } from '../contract/words/oauth.ts'
import { formOf, queryOf, recordPath } from '../requests/drawing/exchanges.ts'
import type { Flow } from '../requests/flows/flows.ts'
import { partiesOf } from '../requests/flows/parties.ts'
import type { RequestLog, RequestRecord } from '../requests/log/request-log.ts'
import type { State } from '../state/state.ts'
import type { Attempt, Webhook } from '../state/entities/webhooks.ts'
import type { EvidenceItem } from './rule.ts'

/** A recorded request with its parameters. */
export interface SeenRequest {
  readonly record: RequestRecord
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly bearer: string | undefined
  readonly clientId: string | undefined
  /** Changed or made by a fault rule. */
  readonly isFaulted: boolean
}

/** A sign-in by the authorization code flow that the log has from its beginning. */
export interface SeenSignIn {
  readonly clientId: string | undefined
  readonly authorization: SeenRequest
  /** Parameters of the authorization request. */
  readonly asked: URLSearchParams
  /** Token requests with the code, in the order of their arrival. */
  readonly redemptions: readonly SeenRequest[]
  /** The one that was answered with tokens. */
  readonly redeemed: SeenRequest | undefined
}

/** A webhook with a URL that was called, with its newest deliveries. */
export interface SeenWebhook {
  readonly webhook: Webhook
  /** Attempts of each delivery that have ended, in order. */
  readonly deliveries: readonly (readonly Attempt[])[]
  /** The same in one list. */
  readonly attempts: readonly Attempt[]
}

/** Record of a run, for the rules. Requests that the sandbox itself made are left out. */
export interface Evidence {
  /** In the order of their arrival. */
  readonly requests: readonly SeenRequest[]
  /** Without those that a fault rule changed. */
  readonly signIns: readonly SeenSignIn[]
  /** Polls of each device code, in the order of their arrival; with the response that issued the code. */
  readonly devices: readonly {
    readonly issued: SeenRequest
    readonly polls: readonly SeenRequest[]
  }[]
  readonly webhooks: readonly SeenWebhook[]
  readonly state: State
  /** Issuer of the sandbox. */
  readonly issuer: string
}

/** Deliveries of a webhook that are judged, so that a long history delays nobody. */
const mostDeliveries = 500

/** `User-Agent` of requests by which the sandbox plays an app. */
const ownAgent = 'hub-sandbox'

/** Reads the record once for all rules. */
export function gatherEvidence(
  deps: Pick<Deps, 'state'> & { requests: Pick<RequestLog, 'values' | 'flows'> },
  issuer: string,
): Evidence {
  const { state, requests: log } = deps
  const flows = [...log.flows.values()]
  const own = new Set(flows.filter(isOwnFlow).flatMap(({ records }) => records.map(({ id }) => id)))
  const seen = new Map(
    log
      .values()
      .filter((record) => !own.has(record.id) && !isOwn(record) && record.resentFrom === undefined)
      .map((record) => [record.id, see(deps, record)] as const),
  )
  const seenOf = ({ records }: Flow) => records.flatMap(({ id }) => seen.get(id) ?? [])
  const whole = flows.filter((flow) => flow.droppedCount === 0)
  return {
    requests: [...seen.values()],
    signIns: whole
      .filter(({ kind }) => kind === 'authorization-code')
      .flatMap((flow) => signInOf(seenOf(flow))),
    devices: whole
      .filter(({ kind }) => kind === 'device-code')
      .flatMap((flow) => deviceOf(seenOf(flow))),
    webhooks: [...state.webhooks.values()].flatMap((webhook) => calledWebhook(state, webhook)),
    state,
    issuer,
  }
}

function isOwn({ request }: RequestRecord): boolean {
  return request.headers['user-agent'] === ownAgent
}

function isOwnFlow({ records }: Flow): boolean {
  return records.some(isOwn)
}

function see(deps: Pick<Deps, 'state'>, record: RequestRecord): SeenRequest {
  const { clientId } = partiesOf(deps, record)
  return {
    record,
    path: recordPath(record),
    query: queryOf(record),
    form: formOf(record),
    bearer: /^Bearer +(\S+)$/i.exec(record.request.headers.authorization ?? '')?.[1],
    clientId,
    isFaulted: record.faultId !== undefined,
  }
}

function signInOf(requests: readonly SeenRequest[]): SeenSignIn[] {
  const authorization = requests.find(({ path }) => path === '/oauth/authorize')
  if (authorization === undefined || requests.some(({ isFaulted }) => isFaulted)) return []
  const redemptions = requests.filter(
    ({ path, record, form }) =>
      path === '/oauth/token' && record.grantType === 'authorization_code' && form.has('code'),
  )
  return [
    {
      clientId: authorization.clientId ?? redemptions[0]?.clientId,
      authorization,
      asked: authorization.query,
      redemptions,
      redeemed: redemptions.find(({ record }) => record.status === 200),
    },
  ]
}

function deviceOf(requests: readonly SeenRequest[]): Evidence['devices'][number][] {
  const issued = requests.find(
    ({ path, record }) =>
      path === '/oauth/device' && record.method === 'POST' && record.status === 200,
  )
  if (issued === undefined) return []
  const polls = requests.filter(({ record }) => record.grantType === deviceCodeGrant)
  return [{ issued, polls }]
}

function calledWebhook(state: State, webhook: Webhook): SeenWebhook[] {
  if (webhook.url === undefined) return []
  const deliveries = state.deliveries
    .group('webhook', webhook.id)
    .slice(-mostDeliveries)
    .map(({ id }) =>
      state.attempts.group('delivery', id).filter(({ outcome }) => outcome !== undefined),
    )
  const attempts = deliveries.flat()
  return attempts.length === 0 ? [] : [{ webhook, deliveries, attempts }]
}

/** End of a response in real milliseconds since the process started. */
export function endOf({ record }: SeenRequest): number {
  return record.receivedMs + record.durationMs
}

/** Checks whether a request began before the other one was answered. */
export function overlaps(first: SeenRequest, second: SeenRequest): boolean {
  return second.record.receivedMs < endOf(first)
}

/** Inaccuracy of timers and networks that a rule tolerates. */
export const toleranceMs = 250

/**
 * Milliseconds from a response to the next request. The longer of real time and sandbox time counts: a client is not too
 * fast because the clock was moved or frozen.
 */
export function waitBetween(first: SeenRequest, second: SeenRequest): number {
  return Math.max(second.record.receivedMs - endOf(first), second.record.at - first.record.endedAt)
}

/** Groups by a key; requests without a key are left out. */
export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | undefined,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Describes the role of a request in a mistake. */
export function because({ record }: SeenRequest, note: string): EvidenceItem {
  return { kind: 'request', id: record.id, note }
}
