import { AssertionError } from 'node:assert'
import type { FlowItem, TokenItem } from '../contract/control-types.ts'
import { pathOf, queryPartOf } from '../core/request-target.ts'
import { refuseUnknownKeys } from '../core/arguments.ts'
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
    const flows = (await sandbox.flows()).filter(isSignIn)
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
    const flows = (await sandbox.flows()).filter(
      ({ kind, outcome }) => kind === 'authorization-code' && outcome === 'completed',
    )
    const without = flows.filter((flow) => pkceMethod(flow) !== 'S256')
    const pass = flows.length > 0 && without.length === 0
    return {
      pass,
      message: () =>
        pass
          ? `expected no sign-in to have used PKCE; ${describeFlows(flows)}`
          : `expected every sign-in by an authorization code to have used PKCE with S256; ${
              flows.length === 0
                ? 'there was none'
                : `${without.length} of ${flows.length} did not:${lines(without, (flow) => `${nameOf(flow)}: code_challenge_method is ${pkceMethod(flow) ?? 'absent'} in /oauth/authorize`)}`
            }`,
    }
  },

  /** Passes if a webhook accepted a delivery of the event. Waits for deliveries in flight. */
  async toHaveDelivered(
    sandbox: WatchedSandbox,
    expected: string | DeliveryMatch,
  ): Promise<MatcherResult> {
    const wanted = typeof expected === 'string' ? { event: expected } : expected
    refuseUnknownKeys('toHaveDelivered()', wanted, Object.keys(deliveryKeys))
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

  /** Passes if a delivery is held because its webhook, or the given one, triggers itself. Waits for deliveries in flight. */
  async toHaveLooped(sandbox: WatchedSandbox, webhookId?: string): Promise<MatcherResult> {
    await sandbox.idle().catch(() => undefined)
    const deliveries = await sandbox.deliveries()
    const looping = deliveries.filter(
      (one) =>
        one.heldBecause === 'loop' && (webhookId === undefined || one.webhookId === webhookId),
    )
    const pass = looping.length > 0
    const what = webhookId === undefined ? 'a webhook' : `webhook ${webhookId}`
    return {
      pass,
      message: () =>
        `expected ${what} ${pass ? 'not ' : ''}to have triggered itself; ${describeDeliveries(pass ? looping : deliveries)}`,
    }
  },
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
