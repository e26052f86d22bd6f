import type {
  AuditRunItem,
  AttemptItem,
  CiTokenRequest,
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
import type { Decision } from '../contract/words/oauth-words.ts'
import type {
  SandboxAdvice,
  SandboxBarriers,
  SandboxClock,
  SandboxExperiments,
  SandboxFaults,
  SandboxKeys,
  SandboxSpaceFrames,
  SandboxTokens,
} from './sandbox-parts.ts'
import type { SandboxAudit, StormOptions } from './sandbox-audit.ts'

// Installations have neither typebox nor fastify, so public types use neither: requests and
// responses are generated from the control API, and only the methods are written here.

declare global {
  interface SymbolConstructor {
    // Same as in the library `esnext.disposable`, which a program without `await using` may lack.
    readonly asyncDispose: unique symbol
  }
}

/** Running sandbox, in this process or elsewhere. */
export interface Sandbox {
  /** URL at which this program reaches the sandbox. */
  readonly url: string
  /** Issuer and URL for browsers; differs from `url` with a base URL. */
  readonly issuer: string
  /** URL of the dashboard, with the control token if required. */
  readonly dashboardUrl: string
  /** PEM file of the certificate of `https`, for `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`. */
  readonly certificatePath?: string
  /** Loaded fixtures, with defaults and secrets. */
  readonly fixtures: Fixtures
  /** Notices about the start. */
  readonly notices: readonly string[]
  readonly clock: SandboxClock
  readonly faults: SandboxFaults
  readonly barriers: SandboxBarriers
  readonly advice: SandboxAdvice
  readonly audit: SandboxAudit
  readonly experiments: SandboxExperiments
  readonly keys: SandboxKeys
  readonly tokens: SandboxTokens
  readonly spaceFrames: SandboxSpaceFrames

  /**
   * Sends the same events to webhook receivers in several orders, with duplicates, delays, retries, slow bodies and
   * restarts. Each verdict about a mistake names the seed that repeats its order.
   * @example
   * const [run] = await sandbox.storm({ events: 50, receivers: [{ receive: async () => new Response(), effects: () => 0 }] })
   * console.log(run?.verdicts)
   */
  storm(options: StormOptions): Promise<readonly AuditRunItem[]>

  /**
   * Signs a user in to an app by the authorization code flow, without a browser.
   * @example
   * const { access_token } = await sandbox.signIn({ user: 'alice', scope: 'openid profile' })
   */
  signIn(options?: SignInOptions): Promise<TokenResponse>
  /**
   * Approves or denies the authorization request of an app as a user, without a browser.
   * @param url to which the app redirects its users: the `location` of its login route
   * @returns the next URL of the browser: the redirect URI of the app with a `code` or an `error`
   * @throws {TypeError} for a URL of another site, and for one that is not the authorization endpoint
   * @throws {ControlError} if the Hub would show its own error page
   * @example
   * const login = await fetch('http://localhost:3000/login', { redirect: 'manual' })
   * const back = await sandbox.authorize(login.headers.get('location'), { user: 'alice' })
   * const page = await fetch(back)
   */
  authorize(url: string | WebAddress | null, options?: AuthorizeOptions): Promise<string>
  /**
   * Approves or denies a device code.
   * @example
   * const { status } = await sandbox.approveDevice('ABCD-EFGH', { user: 'bob', decision: 'deny' })
   */
  approveDevice(userCode: string, options?: DeviceDecision): Promise<DecidedDevice>
  /**
   * Mints the ID token of a CI job, as its provider would. The repo or user needs a trusted publisher (fixtures).
   * @returns JWT to exchange at `/oauth/token`
   * @example
   * const idToken = await sandbox.ciToken({ provider: 'github', claims: { repository: 'acme/publish' } })
   */
  ciToken(request: CiTokenRequest): Promise<string>
  /**
   * Triggers an event.
   * @example
   * const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'alice/tiny' })
   */
  trigger(request: TriggerRequest): Promise<TriggerResult>
  /**
   * Waits for the first matching delivery, including past ones. Rejects after the timeout.
   * @example
   * const delivery = await sandbox.waitForDelivery(({ state }) => state === 'succeeded', { timeoutMs: 5000 })
   * const answer = delivery.attempts.at(-1)?.response?.body
   */
  waitForDelivery(
    matches?: (delivery: Delivery) => boolean,
    options?: { timeoutMs?: number },
  ): Promise<Delivery>
  /**
   * Waits for the first matching request to the hub, including past ones, and returns it with its response. After the timeout
   * it rejects with the closest requests and their differences.
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
   * Lists the requests to the hub in the order of receipt.
   * @example
   * const refused = await sandbox.requests({ route: '/oauth/*', refused: true })
   */
  requests(which?: RequestSelection): Promise<RequestItem[]>
  /**
   * Lists the sign-ins, oldest first, each with an explanation.
   * @example
   * const explanation = (await sandbox.flows()).at(-1)?.explanation
   */
  flows(): Promise<FlowItem[]>
  /**
   * Lists the deliveries, oldest first; skipped ones only on request.
   * @example
   * const failed = await sandbox.deliveries({ repo: 'acme/corpus', state: 'failed' })
   */
  deliveries(which?: DeliverySelection): Promise<Delivery[]>
  /**
   * Sends a delivery that is held because its webhook triggers itself. The next round of the loop is held again.
   * @throws {ControlError} if the delivery is not held by a loop
   * @example
   * const [held] = await sandbox.deliveries({ state: 'held' })
   * if (held) await sandbox.releaseDelivery(held.id)
   */
  releaseDelivery(id: string): Promise<Delivery>
  /**
   * Resolves when nothing is queued or in flight (`waiting`: nor a retry pending); rejects with the outstanding deliveries.
   * @example
   * await sandbox.idle({ waiting: true })
   */
  idle(options?: { timeoutMs?: number; waiting?: boolean }): Promise<void>

  /**
   * Saves the whole state under a name.
   * @example
   * const { name } = await sandbox.snapshot('signed-in')
   */
  snapshot(name?: string): Promise<CreatedSnapshot>
  /**
   * Restores a snapshot.
   * @example
   * await sandbox.restore('signed-in')
   */
  restore(name: string): Promise<void>
  /**
   * Returns the current state as a fixtures file.
   * @example
   * const { users } = await sandbox.export()
   */
  export(): Promise<FixturesFile>
  /**
   * Creates another sandbox in memory with a copy of the current state; the two share nothing. A fork of a remote sandbox
   * runs there, at its own port, until the fork, its origin or the connection is closed.
   * @example
   * const other = await sandbox.fork()
   */
  fork(): Promise<Sandbox>
  /**
   * Resets tokens, sessions, deliveries, logs, clock and faults to the fixtures. Snapshots stay.
   * @example
   * await sandbox.reset()
   */
  reset(): Promise<void>
  /**
   * Finishes requests in flight (5 s at most), saves and releases everything. A second call ends it immediately. Every
   * other call, pending ones included, rejects with a {@link SandboxClosedError}.
   *
   * A remote sandbox keeps running: only the resources of this connection are deleted, which are forks, links, barriers and
   * temporary webhooks.
   * @example
   * await sandbox.close()
   */
  close(): Promise<void>
  /** Closes it, for `await using sandbox = …` (not in JavaScript on Node 20 and 22). */
  [Symbol.asyncDispose](): Promise<void>

  /**
   * Calls the control API directly. Rejects with a {@link ControlError}.
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
  /** Names of the organizations to grant access to. */
  organizations?: readonly string[]
}

/** A `URL`: a program need not have the types of Node, nor of browsers. */
export interface WebAddress {
  readonly href: string
}

/** Decision of a user at the login and consent pages. */
export interface AuthorizeOptions {
  /** Default: the first user. */
  user?: string
  /** Default: `approve`. */
  decision?: Decision
  /** Names of the organizations to grant access to. Default: requested and previously granted ones. */
  organizations?: readonly string[]
}

/** Decision of a user about a device; by default the first user approves. */
export type DeviceDecision = Partial<DecideDeviceRequest>

/** Filter of requests; empty = all. */
export type RequestSelection = Omit<
  RequestQuery,
  'cursor' | 'limit' | 'follow' | 'refused' | 'since'
> & {
  /** Only with an error. */
  refused?: boolean
  /** Only requests since this time of the sandbox clock. */
  since?: Date | string
}

/** Filter of deliveries; empty = all but skipped ones. */
export type DeliverySelection = Omit<
  DeliveryQuery,
  'cursor' | 'limit' | 'follow' | 'view' | 'since'
> & {
  /** Only deliveries created at or after this time. */
  since?: Date | string
}

/** Expected request; omitted members match anything. */
export interface RequestMatch {
  method?: string
  /** Without the query; `*` stands for anything: `/oauth/*`. */
  path?: string
  /** `404`, or a class: `4xx`. */
  status?: number | `${1 | 2 | 3 | 4 | 5}xx`
  /** Client id of the app. */
  clientId?: string
  /** Username. */
  user?: string
  grantType?: string
  /** Error code of the response. */
  error?: string
  /** Parameters of the query, the form or the JSON body. Secrets are masked: match them by a pattern. */
  parameters?: Readonly<Record<string, string | RegExp>>
  /** Headers of the request. */
  headers?: Readonly<Record<string, string | RegExp>>
}

export type Delivery = DeliveryItem
export type DeliveryAttempt = AttemptItem
