import { AssertionError } from 'node:assert'
import type { FlowItem, TokenItem, WebhookItem } from '../contract/control-types.ts'
import { eventActions, eventScopes } from '../contract/words/hub-words.ts'
import { suggestion } from '../contract/suggestion.ts'
import { mostRounds } from '../contract/words/webhook-words.ts'
import { pathOf, queryPartOf } from '../core/request-target.ts'
import { refuseUnknownKeys } from '../core/arguments.ts'
import { own } from '../core/own.ts'
import type { Delivery, Sandbox } from './sandbox-api.ts'
import { describeDeliveries } from './wait-for-delivery.ts'

/** Parts of a sandbox that matchers use. */
export type WatchedSandbox = Pick<Sandbox, 'flows' | 'deliveries' | 'idle' | 'control'>

/** Expected app and granted scopes; omitted members match anything. */
export interface SignInMatch {
  clientId?: string
  /** Space-separated granted scopes; more may have been granted. */
  scope?: string
}

/** Expected event of a delivery; omitted members match anything. */
export interface DeliveryMatch {
  /** A scope such as `repo.content`, or with its action: `repo.create`. */
  event?: string
  /** `namespace/name`. */
  repo?: string
  webhookId?: string
}

/** Result of a matcher in vitest, jest and Playwright. */
export interface MatcherResult {
  pass: boolean
  message: () => string
}

const signInKeys = { clientId: true, scope: true } as const satisfies Record<
  keyof SignInMatch,
  true
>
const deliveryKeys = { event: true, repo: true, webhookId: true } as const satisfies Record<
  keyof DeliveryMatch,
  true
>

/** Maximum number of items in a message. */
const mostShown = 5

/**
 * Matchers for `expect.extend(sandboxMatchers)` in vitest, jest and Playwright. Each checks the current state of a sandbox:
 *
 *     await expect(sandbox).toHaveSignedIn('alice', { scope: 'openid email' })
 *     await expect(sandbox).toHaveUsedPkce()
 *     await expect(sandbox).toHaveDelivered({ event: 'repo.content', repo: 'acme/corpus' })
 *
 * Declare them once for TypeScript. In vitest:
 *
 *     import type { SandboxMatchers } from 'hub-sandbox/testing'
 *     declare module 'vitest' {
 *       interface Matchers<T> extends SandboxMatchers<Promise<void>> {}
 *     }
 *
 * In jest: `declare global { namespace jest { interface Matchers<R> extends SandboxMatchers<Promise<R>> {} } }`.
 */
export const sandboxMatchers = {
  /** Passes if a user signed in to an app and it got a token, by browser or device. */
  async toHaveSignedIn(
    sandbox: WatchedSandbox,
    user: string,
    signedIn: SignInMatch = {},
  ): Promise<MatcherResult> {
    if (typeof user !== 'string') {
      throw new TypeError("toHaveSignedIn() requires a username, such as 'alice'")
    }
    refuseUnknownKeys('toHaveSignedIn()', signedIn, Object.keys(signInKeys))
    const flows = await signInsOf(sandbox, 'toHaveSignedIn()')
    await requireKnown(sandbox, 'users', 'username', user)
    if (signedIn.clientId !== undefined) {
      await requireKnown(sandbox, 'apps', 'clientId', signedIn.clientId)
    }
    let pass = false
    for (const flow of flows) pass ||= await isOf(sandbox, flow, user, signedIn)
    const { clientId, scope } = signedIn
    const wanted = [
      user,
      `${pass ? 'not ' : ''}to have signed in`,
      ...(clientId === undefined ? [] : [`to ${clientId}`]),
      ...(scope === undefined ? [] : [`with ${scope}`]),
    ].join(' ')
    return { pass, message: () => `expected ${wanted}; ${describeFlows(flows)}` }
  },

  /** Passes if every sign-in with an authorization code used PKCE (RFC 7636). */
  async toHaveUsedPkce(sandbox: WatchedSandbox): Promise<MatcherResult> {
    const flows = (await signInsOf(sandbox, 'toHaveUsedPkce()')).filter(
      ({ kind, outcome }) => kind === 'authorization-code' && outcome === 'completed',
    )
    if (flows.length === 0) {
      nothingToJudge('toHaveUsedPkce()', 'no sign-in by an authorization code was completed')
    }
    const without = flows.filter((flow) => pkceMethod(flow) !== 'S256')
    const pass = without.length === 0
    return {
      pass,
      message: () =>
        pass
          ? `expected no sign-in to have used PKCE; ${describeFlows(flows)}`
          : `expected every sign-in by an authorization code to have used PKCE with S256; ${without.length} of ${flows.length} did not:${lines(without, (flow) => `${nameOf(flow)}: code_challenge_method is ${pkceMethod(flow) ?? 'absent'} in /oauth/authorize`)}`,
    }
  },

  /** Passes if a webhook accepted a delivery of the event. Waits for deliveries in flight. */
  async toHaveDelivered(
    sandbox: WatchedSandbox,
    expected: string | DeliveryMatch,
  ): Promise<MatcherResult> {
    const wanted = typeof expected === 'string' ? { event: expected } : expected
    refuseUnknownKeys('toHaveDelivered()', wanted, Object.keys(deliveryKeys))
    requireEvent(wanted.event)
    await webhooksOf(sandbox, 'toHaveDelivered()', wanted.webhookId)
    // Deliveries that are still pending are reported below.
    await sandbox.idle().catch(() => undefined)
    const deliveries = await sandbox.deliveries()
    const pass = deliveries.some((one) => one.state === 'succeeded' && fits(one, wanted))
    const what = Object.values(wanted).filter(Boolean).join(' of ') || 'anything'
    return {
      pass,
      message: () =>
        `expected ${what} ${pass ? 'not ' : ''}to have been delivered; ${describeDeliveries(deliveries)}`,
    }
  },

  /**
   * Passes if a webhook, or the given one, triggers itself: four deliveries in a row were caused by its own receiver,
   * held or not. Where the webhook has no `actsAs`, changes of its owner count as those of the receiver. Waits for
   * deliveries in flight.
   */
  async toHaveLooped(sandbox: WatchedSandbox, webhookId?: string): Promise<MatcherResult> {
    const webhooks = await webhooksOf(sandbox, 'toHaveLooped()', webhookId)
    await sandbox.idle().catch(() => undefined)
    const deliveries = (await sandbox.deliveries()).filter(
      (one) => webhookId === undefined || one.webhookId === webhookId,
    )
    const looping = deliveries.filter((one) => roundsBefore(one, deliveries) >= mostRounds)
    const what = webhookId === undefined ? 'a webhook' : `webhook ${webhookId}`
    const pass = looping.length > 0
    if (deliveries.length === 0) nothingToJudge('toHaveLooped()', `${what} was sent no delivery`)
    const unknown = webhooks.find((webhook) => actorIsUnknown(webhook, deliveries))
    if (!pass && unknown !== undefined) {
      nothingToJudge(
        'toHaveLooped()',
        `webhook ${unknown.id} does not say as which user its receiver changes the Hub, and its owner changed nothing: set actsAs of the webhook`,
      )
    }
    return {
      pass,
      message: () =>
        `expected ${what} ${pass ? 'not ' : ''}to have triggered itself; ${describeDeliveries(pass ? looping : deliveries)}${looping.some(({ causedBy }) => causedBy?.by === 'owner') ? `\n  The owner of the webhook made these changes. If that was not its receiver, set actsAs of the webhook to the user of the receiver.` : ''}`,
    }
  },
}

type WatchedWebhook = Pick<WebhookItem, 'id' | 'actsAs'>

/**
 * Lists the webhooks that could have been called.
 * @throws {AssertionError} if there is none, or not the given one
 */
async function webhooksOf(
  sandbox: WatchedSandbox,
  matcher: string,
  webhookId: string | undefined,
): Promise<WatchedWebhook[]> {
  const { items } = await sandbox.control<{ items: WatchedWebhook[] }>('GET', 'webhooks')
  if (items.length === 0) nothingToJudge(matcher, 'there is no webhook')
  const chosen = items.filter(({ id }) => webhookId === undefined || id === webhookId)
  if (chosen.length === 0) nothingToJudge(matcher, `there is no webhook ${webhookId}`)
  return chosen
}

/** Counts the rounds of a webhook through itself that led to a delivery. */
function roundsBefore(delivery: Delivery, deliveries: readonly Delivery[]): number {
  const byId = new Map(deliveries.map((one) => [one.id, one]))
  const seen = new Set<string>()
  let rounds = 0
  for (let at = delivery.causedBy; at !== undefined && !seen.has(at.deliveryId);) {
    seen.add(at.deliveryId)
    const cause = byId.get(at.deliveryId)
    if (cause?.webhookId === delivery.webhookId) rounds += 1
    at = cause?.causedBy
  }
  return rounds
}

/** Checks whether a loop of a webhook would go unnoticed, because the user of its receiver is unknown. */
function actorIsUnknown({ id, actsAs }: WatchedWebhook, deliveries: readonly Delivery[]): boolean {
  const own = deliveries.filter(({ webhookId }) => webhookId === id)
  return (
    actsAs === undefined &&
    own.length > mostRounds &&
    own.every(({ causedBy }) => causedBy === undefined)
  )
}

/**
 * Fails a matcher with and without `not`: it would pass whatever the app does.
 * @throws {AssertionError}
 */
export function nothingToJudge(matcher: string, why: string): never {
  throw new AssertionError({ message: `${matcher} had nothing to judge: ${why}` })
}

/** Types of {@link sandboxMatchers}, see there. */
export interface SandboxMatchers<R = unknown> {
  toHaveSignedIn(user: string, signedIn?: SignInMatch): R
  toHaveUsedPkce(): R
  toHaveDelivered(expected: string | DeliveryMatch): R
  toHaveLooped(webhookId?: string): R
}

/**
 * Assertion for test runners without `expect`, such as `node:test`.
 * @throws {AssertionError} with the recorded sign-ins
 */
export async function assertSignedIn(
  sandbox: WatchedSandbox,
  user: string,
  signedIn?: SignInMatch,
): Promise<void> {
  assertPassed(await sandboxMatchers.toHaveSignedIn(sandbox, user, signedIn))
}

/** @throws {AssertionError} with the sign-ins that did not */
export async function assertUsedPkce(sandbox: WatchedSandbox): Promise<void> {
  assertPassed(await sandboxMatchers.toHaveUsedPkce(sandbox))
}

/** @throws {AssertionError} with the recorded deliveries */
export async function assertDelivered(
  sandbox: WatchedSandbox,
  expected: string | DeliveryMatch,
): Promise<void> {
  assertPassed(await sandboxMatchers.toHaveDelivered(sandbox, expected))
}

function assertPassed({ pass, message }: MatcherResult): void {
  if (!pass) throw new AssertionError({ message: message() })
}

/**
 * Lists the recorded sign-ins, without those of audits, which break them on purpose.
 * @throws {AssertionError} if there is none
 */
async function signInsOf(sandbox: WatchedSandbox, matcher: string): Promise<FlowItem[]> {
  const signIns = (await sandbox.flows()).filter(isSignIn)
  const flows = signIns.filter(({ audit }) => audit !== true)
  if (flows.length === 0) {
    const except = signIns.length === 0 ? '' : ' except by an audit'
    nothingToJudge(matcher, `no sign-in was started${except}`)
  }
  return flows
}

/** @throws {TypeError} for a name that the sandbox does not know: it would never match */
async function requireKnown(
  sandbox: WatchedSandbox,
  list: 'users' | 'apps',
  key: string,
  name: string,
): Promise<void> {
  const { items } = await sandbox.control<{ items: Record<string, unknown>[] }>('GET', list)
  const known = items.map((item) => String(own(item, key)))
  if (known.includes(name)) return
  throw new TypeError(`there is no ${key} ${name}${suggestion(name, known)}`)
}

/** @throws {TypeError} for an event that the Hub does not have */
function requireEvent(event: string | undefined): void {
  if (event === undefined) return
  const known: string[] = eventScopes.flatMap((scope) => [
    scope,
    ...eventActions.map((action) => `${scope}.${action}`),
  ])
  if (known.includes(event)) return
  throw new TypeError(
    `toHaveDelivered() requires an event of the Hub, not ${event}${suggestion(event, known)}`,
  )
}

function isSignIn({ kind }: FlowItem): boolean {
  return kind === 'authorization-code' || kind === 'device-code'
}

async function isOf(
  sandbox: WatchedSandbox,
  { id, outcome, user, app }: FlowItem,
  username: string,
  { clientId, scope }: SignInMatch,
): Promise<boolean> {
  if (outcome !== 'completed' || user?.username !== username) return false
  if (clientId !== undefined && app?.clientId !== clientId) return false
  if (scope === undefined) return true
  const { tokenIds } = await sandbox.control<{ tokenIds: string[] }>('GET', `flows/${id}`)
  const granted = new Set<string>()
  for (const tokenId of tokenIds) {
    const { scopes } = await sandbox.control<TokenItem>('GET', `tokens/${tokenId}`)
    for (const one of scopes) granted.add(one)
  }
  return scope
    .split(' ')
    .filter(Boolean)
    .every((one) => granted.has(one))
}

/** Returns the `code_challenge_method` of a sign-in; the default with a challenge is `plain` (RFC 7636 §4.3). */
function pkceMethod({ requests }: FlowItem): string | undefined {
  const asked = requests.find(({ path }) => pathOf(path) === '/oauth/authorize')
  const sent = queryPartOf(asked?.path ?? '')
  return sent.has('code_challenge') ? (sent.get('code_challenge_method') ?? 'plain') : undefined
}

function fits({ scope, action, repo, webhookId }: Delivery, wanted: DeliveryMatch): boolean {
  return (
    (wanted.event === undefined || [scope, `${scope}.${action}`].includes(wanted.event)) &&
    (wanted.repo === undefined || wanted.repo === repo) &&
    (wanted.webhookId === undefined || wanted.webhookId === webhookId)
  )
}

function describeFlows(flows: readonly FlowItem[]): string {
  if (flows.length === 0) return 'no sign-in was started'
  return `these were seen:${lines(flows, (flow) => `${nameOf(flow)}: ${flow.outcome}. ${flow.explanation}`)}`
}

function nameOf({ user, app, kind }: FlowItem): string {
  return `${user?.username ?? 'no user yet'}, ${app?.name ?? 'an unknown app'}, ${kind}`
}

/** Lists items, newest first. */
function lines(flows: readonly FlowItem[], line: (flow: FlowItem) => string): string {
  return flows
    .slice(-mostShown)
    .toReversed()
    .map((flow) => `\n  ${line(flow)}`)
    .join('')
}
