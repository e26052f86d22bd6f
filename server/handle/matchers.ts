import { AssertionError } from 'node:assert'
import type { FlowItem, TokenItem } from '../contract/control-types.ts'
import { pathOf, queryPartOf } from '../core/request-target.ts'
import { refuseUnknownKeys } from '../core/arguments.ts'
import type { Delivery, Sandbox } from './sandbox-api.ts'
import { tellDeliveries } from './wait-for-delivery.ts'

/** What is looked at: any sandbox, however it was had. */
export type WatchedSandbox = Pick<Sandbox, 'flows' | 'deliveries' | 'idle' | 'control'>

/** To which app, and with what it came back; what is left out may be anything. */
export interface SignInMatch {
  clientId?: string
  /** Scopes that were granted, separated by spaces; there may have been more. */
  scope?: string
}

/** What a delivery tells of; what is left out may be anything. */
export interface DeliveryMatch {
  /** A scope such as `repo.content`, or with its action: `repo.create`. */
  event?: string
  /** `namespace/name`. */
  repo?: string
  webhookId?: string
}

/** What a matcher of vitest, jest and Playwright answers. */
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

/** As many as a message can hold. */
const mostTold = 5

/**
 * For `expect.extend(sandboxMatchers)` of vitest, jest and Playwright. Each looks at a sandbox as it is now:
 *
 *     await expect(sandbox).toHaveSignedIn('alice', { scope: 'openid email' })
 *     await expect(sandbox).toHaveUsedPkce()
 *     await expect(sandbox).toHaveDelivered({ event: 'repo.content', repo: 'acme/corpus' })
 *
 * TypeScript is told of them once, for vitest:
 *
 *     import type { SandboxMatchers } from 'hub-sandbox/testing'
 *     declare module 'vitest' {
 *       interface Matchers<T> extends SandboxMatchers<Promise<void>> {}
 *     }
 *
 * and for jest by `declare global { namespace jest { interface Matchers<R> extends SandboxMatchers<Promise<R>> {} } }`.
 */
export const sandboxMatchers = {
  /** A user came back to an app with a token, from the sign-in page or from a device. */
  async toHaveSignedIn(
    sandbox: WatchedSandbox,
    user: string,
    signedIn: SignInMatch = {},
  ): Promise<MatcherResult> {
    if (typeof user !== 'string') {
      throw new TypeError("toHaveSignedIn() takes a username first, such as 'alice'")
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
    return { pass, message: () => `expected ${wanted}; ${tellFlows(flows)}` }
  },

  /** Every app that got a token by an authorization code proved that it was the one that had asked (RFC 7636). */
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
          ? `expected no sign-in to have used PKCE; ${tellFlows(flows)}`
          : `expected every sign-in by an authorization code to have used PKCE with S256; ${
              flows.length === 0
                ? 'there was none'
                : `${without.length} of ${flows.length} did not:${lines(without, (flow) => `${nameOf(flow)}: code_challenge_method is ${pkceMethod(flow) ?? 'absent'} in /oauth/authorize`)}`
            }`,
    }
  },

  /** A webhook was told of an event, and took it. Waits for what is on its way. */
  async toHaveDelivered(
    sandbox: WatchedSandbox,
    expected: string | DeliveryMatch,
  ): Promise<MatcherResult> {
    const wanted = typeof expected === 'string' ? { event: expected } : expected
    refuseUnknownKeys('toHaveDelivered()', wanted, Object.keys(deliveryKeys))
    // What does not get through in time is told below, as it stands.
    await sandbox.idle().catch(() => undefined)
    const deliveries = await sandbox.deliveries()
    const pass = deliveries.some((one) => one.state === 'succeeded' && fits(one, wanted))
    const what = Object.values(wanted).filter(Boolean).join(' of ') || 'anything'
    return {
      pass,
      message: () =>
        `expected ${what} ${pass ? 'not ' : ''}to have been delivered; ${tellDeliveries(deliveries)}`,
    }
  },
}

/** How TypeScript is told of {@link sandboxMatchers}: see there. */
export interface SandboxMatchers<R = unknown> {
  toHaveSignedIn(user: string, signedIn?: SignInMatch): R
  toHaveUsedPkce(): R
  toHaveDelivered(expected: string | DeliveryMatch): R
}

/**
 * For test runners without `expect`, such as `node:test`.
 * @throws {AssertionError} with what was seen instead
 */
export async function assertSignedIn(
  sandbox: WatchedSandbox,
  user: string,
  signedIn?: SignInMatch,
): Promise<void> {
  assertPassed(await sandboxMatchers.toHaveSignedIn(sandbox, user, signedIn))
}

/** @throws {AssertionError} naming the sign-ins that did not */
export async function assertUsedPkce(sandbox: WatchedSandbox): Promise<void> {
  assertPassed(await sandboxMatchers.toHaveUsedPkce(sandbox))
}

/** @throws {AssertionError} with the deliveries that there were */
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

/** `code_challenge_method` of a sign-in; RFC 7636 §4.3 has `plain` where there is a challenge without one. */
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

function tellFlows(flows: readonly FlowItem[]): string {
  if (flows.length === 0) return 'no sign-in was begun'
  return `these were seen:${lines(flows, (flow) => `${nameOf(flow)}: ${flow.outcome}. ${flow.explanation}`)}`
}

function nameOf({ user, app, kind }: FlowItem): string {
  return `${user?.username ?? 'nobody yet'}, ${app?.name ?? 'an unknown app'}, ${kind}`
}

/** The latest first. */
function lines(flows: readonly FlowItem[], line: (flow: FlowItem) => string): string {
  return flows
    .slice(-mostTold)
    .toReversed()
    .map((flow) => `\n  ${line(flow)}`)
    .join('')
}
