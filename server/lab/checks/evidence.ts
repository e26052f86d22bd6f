import type { Deps } from '../../hub/deps.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { ownAgent } from '../../core/own-agent.ts'
import { deviceCodeGrant } from '../../contract/words/oauth-words.ts'
import { redirectOf } from '../../inspect/log/request-reason.ts'
import { formOf, queryOf, recordPath } from '../../inspect/drawing/exchanges.ts'
import { textMember } from '../../inspect/details/json-body.ts'
import { isSignInPath } from '../../inspect/flows/flow-traces.ts'
import type { Flow } from '../../inspect/flows/flows.ts'
import { partiesOf } from '../../inspect/flows/parties.ts'
import type { RequestLog, RequestRecord } from '../../inspect/log/request-log.ts'
import type { State } from '../../store/state.ts'
import type { Attempt, Delivery, Webhook } from '../../store/entities/webhook-entities.ts'
import type { AdviceExceptions } from './exceptions.ts'
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
  /** Parameters of the authorization request, without empty ones, which count as absent (RFC 6749 §3.1). */
  readonly asked: URLSearchParams
  /** Token requests with the code, in the order of their arrival. */
  readonly redemptions: readonly SeenRequest[]
  /** The one that was answered with tokens. */
  readonly redeemed: SeenRequest | undefined
  /** All its requests, in the order of their arrival. */
  readonly requests: readonly SeenRequest[]
  /** Request whose response sent the code to the app, with the code. */
  readonly issued: { readonly by: SeenRequest; readonly code: string } | undefined
}

/** A delivery with its attempts that have ended, in order. */
export interface SeenDelivery {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

/** A webhook with a URL that was called, with its newest deliveries. */
export interface SeenWebhook {
  readonly webhook: Webhook
  readonly deliveries: readonly SeenDelivery[]
  /** All attempts of these deliveries. */
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
  /** Number of requests and attempts that are left out, because they came in a pause. */
  readonly paused: number
  readonly state: State
  /** Issuer of the sandbox. */
  readonly issuer: string
}

/** Deliveries of a webhook that are judged, so that a long history delays nobody. */
const mostDeliveries = 500

type EvidenceDeps = Pick<Deps, 'state'> & {
  requests: Pick<RequestLog, 'values' | 'flows'>
  adviceExceptions: Pick<AdviceExceptions, 'isJudged' | 'isAttemptJudged'>
}

/** Reads the record once for all rules. */
export function gatherEvidence(deps: EvidenceDeps, issuer: string): Evidence {
  const { state, requests: log, adviceExceptions: exceptions } = deps
  const sent = log.values().filter((record) => !isOwn(record) && record.resentFrom === undefined)
  const seen = new Map(
    sent.filter(exceptions.isJudged).map((record) => [record.id, see(deps, record)] as const),
  )
  const called = [...state.webhooks.values()].flatMap((webhook) => calledWebhook(state, webhook))
  const webhooks = called.flatMap((webhook) => judgedWebhook(webhook, exceptions))
  const attemptsOf = (all: readonly SeenWebhook[]) =>
    all.reduce((sum, { attempts }) => sum + attempts.length, 0)
  const seenOf = ({ records }: Flow) => records.flatMap(({ id }) => seen.get(id) ?? [])
  const whole = [...log.flows.values()].filter(
    (flow) =>
      flow.droppedCount === 0 && !isOwnFlow(flow) && flow.records.every(exceptions.isJudged),
  )
  return {
    requests: [...seen.values()],
    signIns: whole
      .filter(({ kind }) => kind === 'authorization-code')
      .flatMap((flow) => signInOf(seenOf(flow))),
    devices: whole
      .filter(({ kind }) => kind === 'device-code')
      .flatMap((flow) => deviceOf(seenOf(flow))),
    webhooks,
    paused: sent.length - seen.size + attemptsOf(called) - attemptsOf(webhooks),
    state,
    issuer,
  }
}

function isOwn({ request }: RequestRecord): boolean {
  return request.headers['user-agent'] === ownAgent
}

/**
 * Checks whether the sandbox itself played a step of the sign-in. It is not judged as a sign-in, while other requests in
 * it are: an app may use its token.
 */
function isOwnFlow({ records }: Flow): boolean {
  return records.some((record) => isOwn(record) && isSignInPath(record.url))
}

/** Reads the parameters of a recorded request. */
export function see(deps: Pick<Deps, 'state'>, record: RequestRecord): SeenRequest {
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
      asked: new URLSearchParams([...authorization.query].filter(([, value]) => value !== '')),
      redemptions,
      redeemed: redemptions.find(({ record }) => record.status === 200),
      requests,
      issued: issuedCode(requests),
    },
  ]
}

/** Checks whether a nonce binds a completed sign-in to its browser. Without an ID token, nothing returns it to the app. */
export function isBoundByNonce({ asked, redeemed }: SeenSignIn): boolean {
  const response = redeemed?.record.response
  if (!asked.has('nonce') || response === undefined) return false
  return response.truncated || textMember(response.body, 'id_token') !== undefined
}

function issuedCode(requests: readonly SeenRequest[]): SeenSignIn['issued'] {
  for (const by of requests) {
    const code = by.path === '/oauth/authorize' ? redirectOf(by.record)?.get('code') : undefined
    if (code) return { by, code }
  }
  return undefined
}

function deviceOf(requests: readonly SeenRequest[]): Evidence['devices'][number][] {
  const issued = requests.find(
    ({ path, record }) =>
      path === '/oauth/device' && record.method === 'POST' && record.status === 200,
  )
  if (issued === undefined) return []
  const polls = requests.filter(({ record }) => record.grantType === deviceCodeGrant)
  return [{ issued, polls: withoutStyleProbes(polls) }]
}

/** Longest time from a refusal to its repetition by a library that tries the other style. */
const styleProbeMs = 1000

/**
 * Leaves one of two token requests that differ in the authentication of the client alone: libraries such as
 * golang.org/x/oauth2 repeat a failed request at once in the other style (RFC 6749 §2.3.1). The successful one stays, else
 * the first.
 * @param requests in the order of their arrival
 */
export function withoutStyleProbes(requests: readonly SeenRequest[]): SeenRequest[] {
  const kept: SeenRequest[] = []
  let before: SeenRequest | undefined
  for (const request of requests) {
    const isProbe = before !== undefined && repeatsInOtherStyle(before, request)
    if (!isProbe) kept.push(request)
    else if (request.record.status === 200) kept.splice(-1, 1, request)
    // A third one is no probe.
    before = isProbe ? undefined : request
  }
  return kept
}

/** Checks whether a request repeats a failed one at once with the client authenticated in the other style. */
export function repeatsInOtherStyle(failed: SeenRequest, request: SeenRequest): boolean {
  const waitMs = request.record.receivedMs - endOf(failed)
  return (
    failed.record.status !== 200 &&
    waitMs >= 0 &&
    waitMs < styleProbeMs &&
    failed.path === request.path &&
    hasBasic(failed) !== hasBasic(request) &&
    unauthenticated(failed) === unauthenticated(request)
  )
}

function hasBasic({ record }: SeenRequest): boolean {
  return /^basic /i.test(record.request.headers.authorization ?? '')
}

/** Form of a token request without the authentication of the client. */
function unauthenticated({ form }: SeenRequest): string {
  const rest = [...form].filter(([name]) => name !== 'client_id' && name !== 'client_secret')
  return new URLSearchParams(rest.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString()
}

function calledWebhook(state: State, webhook: Webhook): SeenWebhook[] {
  if (webhook.url === undefined) return []
  const deliveries = state.deliveries
    .group('webhook', webhook.id)
    .slice(-mostDeliveries)
    .map((delivery) => ({
      delivery,
      attempts: state.attempts
        .group('delivery', delivery.id)
        .filter(({ outcome }) => outcome !== undefined),
    }))
  return withAttempts(webhook, deliveries)
}

function judgedWebhook(
  { webhook, deliveries }: SeenWebhook,
  { isAttemptJudged }: EvidenceDeps['adviceExceptions'],
): SeenWebhook[] {
  return withAttempts(
    webhook,
    deliveries.map(({ delivery, attempts }) => ({
      delivery,
      attempts: attempts.filter(isAttemptJudged),
    })),
  )
}

function withAttempts(webhook: Webhook, deliveries: readonly SeenDelivery[]): SeenWebhook[] {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  return attempts.length === 0 ? [] : [{ webhook, deliveries, attempts }]
}

/** Leaves what one app has sent, or what one webhook was sent, so that a rule counts only that. */
export function narrowEvidence(
  evidence: Evidence,
  { clientId, webhookId }: { clientId?: string; webhookId?: string },
): Evidence {
  if (clientId === undefined && webhookId === undefined) return evidence
  const isOfApp = (item: { clientId: string | undefined }) =>
    clientId !== undefined && item.clientId === clientId
  return {
    ...evidence,
    // The receiver of a webhook may be an app with requests of its own.
    requests: clientId === undefined ? evidence.requests : evidence.requests.filter(isOfApp),
    signIns: evidence.signIns.filter(isOfApp),
    devices: evidence.devices.filter(({ issued }) => isOfApp(issued)),
    webhooks: evidence.webhooks.filter(({ webhook }) => webhook.id === webhookId),
  }
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

/**
 * Finds the first items of a series that has as many items within a time as make a burst. The longer of real time and
 * sandbox time counts, as for {@link waitBetween}.
 * @param requests in the order of their arrival
 */
export function findBurst(
  requests: readonly SeenRequest[],
  fewest: number,
  withinMs: number,
): readonly SeenRequest[] | undefined {
  for (const [index, last] of requests.entries()) {
    const first = requests[index - fewest + 1]
    if (first === undefined) continue
    const tookMs = Math.max(
      last.record.receivedMs - first.record.receivedMs,
      last.record.at - first.record.at,
    )
    if (tookMs <= withinMs) return requests.slice(index - fewest + 1, index + 1)
  }
  return undefined
}

/**
 * Describes the role of a request in a mistake.
 * @param parameter name of the parameter or header that is wrong or missing
 */
export function because({ record }: SeenRequest, note: string, parameter?: string): EvidenceItem {
  return { kind: 'request', id: record.id, note, ...omitUndefined({ parameter }) }
}
