import type {
  AttemptItem,
  CreatedSnapshot,
  DecidedDevice,
  DecideDeviceRequest,
  DeliveryItem,
  DeliveryQuery,
  FlowItem,
  RequestDetail,
  RequestItem,
  RequestQuery,
  TokenResponse,
  TriggerRequest,
  TriggerResult,
} from '../contract/control-types.ts'
import type { Fixtures, FixturesFile } from '../contract/fixtures-types.ts'
import type { Decision } from '../contract/words/oauth.ts'
import type {
  SandboxBarriers,
  SandboxClock,
  SandboxFaults,
  SandboxKeys,
  SandboxTokens,
} from './sandbox-parts.ts'

// Whoever installs the package has neither typebox nor fastify, so its public types name neither: what a call takes and
// answers is generated from the control API, and only the methods themselves are written here.

declare global {
  interface SymbolConstructor {
    // The same as in the library `esnext.disposable`, which a program that does not say `await using` need not have.
    readonly asyncDispose: unique symbol
  }
}

/** A sandbox that runs, in this process or elsewhere. */
export interface Sandbox {
  /** Root of every address, as this program reaches it. */
  readonly url: string
  /** What the sandbox calls itself, and where it sends browsers: another than `url` where it was given a base URL. */
  readonly issuer: string
  /** The dashboard, with the control token where one is asked for. */
  readonly dashboardUrl: string
  /** PEM file of the certificate of `https`, for `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`. */
  readonly certificatePath?: string
  /** What was loaded, with defaults filled in and secrets included. */
  readonly fixtures: Fixtures
  /** What the user should know about the start. */
  readonly notices: readonly string[]
  readonly clock: SandboxClock
  readonly faults: SandboxFaults
  readonly barriers: SandboxBarriers
  readonly keys: SandboxKeys
  readonly tokens: SandboxTokens

  /**
   * Signs a user in to an app by the authorization code flow, without a browser.
   * @example
   * const { access_token } = await sandbox.signIn({ user: 'alice', scope: 'openid profile' })
   */
  signIn(options?: SignInOptions): Promise<TokenResponse>
  /**
   * Answers the authorization request of an app as a user would at the consent page, without a browser.
   * @param url where the app redirects its users: the `location` of its login route
   * @returns where the browser would go next: the redirect URI of the app with a `code`, or with an `error`
   * @throws {TypeError} for a URL of another site, and for one that is not the authorization endpoint
   * @throws {ControlError} where the Hub would show its own error page
   * @example
   * const login = await fetch('http://localhost:3000/login', { redirect: 'manual' })
   * const back = await sandbox.authorize(login.headers.get('location'), { user: 'alice' })
   * const page = await fetch(back)
   */
  authorize(url: string | WebAddress | null, options?: AuthorizeOptions): Promise<string>
  /**
   * Allows (or denies) what a device waits for.
   * @example
   * const { status } = await sandbox.approveDevice('ABCD-EFGH', { user: 'bob', decision: 'deny' })
   */
  approveDevice(userCode: string, options?: DeviceDecision): Promise<DecidedDevice>
  /**
   * Causes an event.
   * @example
   * const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'alice/tiny' })
   */
  trigger(request: TriggerRequest): Promise<TriggerResult>
  /**
   * The first delivery that matches, past ones included. Rejects when none came in time.
   * @example
   * const delivery = await sandbox.waitForDelivery(({ state }) => state === 'succeeded', { timeoutMs: 5000 })
   * const answer = delivery.attempts.at(-1)?.response?.body
   */
  waitForDelivery(
    matches?: (delivery: Delivery) => boolean,
    options?: { timeoutMs?: number },
  ): Promise<Delivery>
  /**
   * The first request to the hub that matches, past ones included, with its answer. Rejects when none came in time,
   * with what came instead and in what it differed.
   * @example
   * const { status } = await sandbox.expectRequest({ path: '/oauth/token', grantType: 'refresh_token' })
   * const { request } = await sandbox.expectRequest(
   *   { path: '/oauth/authorize', parameters: { code_challenge_method: 'S256' } },
   *   { timeoutMs: 5000 },
   * )
   */
  expectRequest(
    match: RequestMatch | ((request: RequestDetail) => boolean),
    options?: { timeoutMs?: number },
  ): Promise<RequestDetail>
  /**
   * The requests that the hub answered, in the order in which they came.
   * @example
   * const refused = await sandbox.requests({ route: '/oauth/*', refused: true })
   */
  requests(which?: RequestSelection): Promise<RequestItem[]>
  /**
   * The sign-ins that the requests were, oldest first, each with a sentence that explains it.
   * @example
   * const explanation = (await sandbox.flows()).at(-1)?.explanation
   */
  flows(): Promise<FlowItem[]>
  /**
   * The deliveries, oldest first; skipped ones only where they are asked for.
   * @example
   * const failed = await sandbox.deliveries({ repo: 'acme/corpus', state: 'failed' })
   */
  deliveries(which?: DeliverySelection): Promise<Delivery[]>
  /**
   * Resolves when nothing is queued or in flight (`waiting`: and no retry waits); rejects with what is outstanding.
   * @example
   * await sandbox.idle({ waiting: true })
   */
  idle(options?: { timeoutMs?: number; waiting?: boolean }): Promise<void>

  /**
   * Keeps the whole state under a name.
   * @example
   * const { name } = await sandbox.snapshot('signed-in')
   */
  snapshot(name?: string): Promise<CreatedSnapshot>
  /**
   * Goes back to a kept state.
   * @example
   * await sandbox.restore('signed-in')
   */
  restore(name: string): Promise<void>
  /**
   * The present state as a fixtures file.
   * @example
   * const { users } = await sandbox.export()
   */
  export(): Promise<FixturesFile>
  /**
   * Another sandbox in memory that starts from this one's present state; the two share nothing. That of a sandbox
   * elsewhere runs there, at a port of its own, until it is closed, or its origin or the connection is.
   * @example
   * const other = await sandbox.fork()
   */
  fork(): Promise<Sandbox>
  /**
   * Back to the fixtures: tokens, sessions, deliveries, logs, clock, faults. Snapshots stay.
   * @example
   * await sandbox.reset()
   */
  reset(): Promise<void>
  /**
   * Finishes what is in flight (5 s at most), saves and lets go of everything. Calling it again ends it now. Every
   * other call rejects with a {@link SandboxClosedError} from here on, and whoever waits is told at once.
   *
   * A sandbox elsewhere goes on: only what was made by this connection ends, which are forks, links, barriers and
   * temporary webhooks.
   * @example
   * await sandbox.close()
   */
  close(): Promise<void>
  /** Closes it, for `await using sandbox = …` (not in JavaScript on Node 20 and 22). */
  [Symbol.asyncDispose](): Promise<void>

  /**
   * Calls the control API, for whatever has no method here. Rejects with a {@link ControlError}.
   * @example
   * import type { AppList } from 'hub-sandbox'
   * const { items } = await sandbox.control<AppList>('GET', 'apps?limit=1000')
   */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
}

export interface SignInOptions {
  /** Default: the first user. */
  user?: string
  /** Default: the first public app. */
  clientId?: string
  /** Space-separated; default: the scopes of the app. */
  scope?: string
  /** Names of the organizations the user ticks. */
  organizations?: readonly string[]
}

/** A `URL`: a program need not have the types of Node, nor of browsers. */
export interface WebAddress {
  readonly href: string
}

/** What a user does at the login and consent pages. */
export interface AuthorizeOptions {
  /** Default: the first user. */
  user?: string
  /** Default: `approve`. */
  decision?: Decision
  /** Names of the organizations the user ticks. Default: those asked for and those allowed before. */
  organizations?: readonly string[]
}

/** What a user says to a device; by default the first user approves. */
export type DeviceDecision = Partial<DecideDeviceRequest>

/** Which requests are meant; none left out = all. */
export type RequestSelection = Omit<
  RequestQuery,
  'cursor' | 'limit' | 'follow' | 'refused' | 'since'
> & {
  /** Only with an error. */
  refused?: boolean
  /** Only what came from then on, on the sandbox clock. */
  since?: Date | string
}

/** Which deliveries are meant; none left out = all but the skipped ones. */
export type DeliverySelection = Omit<
  DeliveryQuery,
  'cursor' | 'limit' | 'follow' | 'view' | 'since'
> & {
  /** Only made at or after this time. */
  since?: Date | string
}

/** What a request must be like; what is left out may be anything. */
export interface RequestMatch {
  method?: string
  /** Without the query; `*` stands for anything: `/oauth/*`. */
  path?: string
  /** `404`, or a class: `4xx`. */
  status?: number | `${1 | 2 | 3 | 4 | 5}xx`
  /** Of the app. */
  clientId?: string
  /** Username. */
  user?: string
  grantType?: string
  /** Error code of the answer. */
  error?: string
  /** Parameters of the query, the form or the JSON body. Those that are secret are masked: ask for them by a pattern. */
  parameters?: Readonly<Record<string, string | RegExp>>
  /** Headers of the request. */
  headers?: Readonly<Record<string, string | RegExp>>
}

export type Delivery = DeliveryItem
export type DeliveryAttempt = AttemptItem
