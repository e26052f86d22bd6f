import type {
  AddBarrierRequest,
  AddedBarrier,
  AddedFault,
  AddFaultRequest,
  AttemptItem,
  Barrier,
  ClockReading,
  CreatedSnapshot,
  DecidedDevice,
  DecideDeviceRequest,
  DeliveryItem,
  FaultItem,
  KeyItem,
  ReleasedBarrier,
  RotatedKey,
  RotateKeyRequest,
  TokenResponse,
  TriggerRequest,
  TriggerResult,
} from '../contract/control-types.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'

// Whoever installs the package has neither typebox nor fastify, so its public types name neither: what a call takes and
// answers is generated from the control API, and only the methods themselves are written here.

/** A sandbox in this process. */
export interface Sandbox {
  /** Issuer, and root of every address. */
  readonly url: string
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

  /**
   * Signs a user in to an app by the authorization code flow, without a browser.
   * @example
   * const { access_token } = await sandbox.signIn({ user: 'alice', scope: 'openid profile' })
   */
  signIn(options?: SignInOptions): Promise<TokenResponse>
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
   * Another sandbox in memory that starts from this one's present state; the two share nothing.
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
   * @example
   * await sandbox.close()
   */
  close(): Promise<void>

  /**
   * Calls the control API, for whatever has no method here. Rejects with a {@link ControlError}.
   * @example
   * import type { AppList } from 'hub-sandbox'
   * const { items } = await sandbox.control<AppList>('GET', 'apps?limit=1000')
   */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
}

export interface SandboxClock {
  /**
   * The time of the sandbox.
   * @example
   * const { now, frozen } = await sandbox.clock.read()
   */
  read(): Promise<ClockReading>
  /**
   * Moves on.
   * @param duration `8h`, `90s`, `1h30m`
   * @example
   * await sandbox.clock.advance('8h')
   */
  advance(duration: string): Promise<ClockReading>
  /**
   * Goes to a time.
   * @example
   * await sandbox.clock.set('2030-01-01T00:00:00Z')
   */
  set(time: Date | string): Promise<ClockReading>
  /**
   * Stands still.
   * @example
   * await sandbox.clock.freeze()
   */
  freeze(): Promise<ClockReading>
  /**
   * Runs on.
   * @example
   * await sandbox.clock.resume()
   */
  resume(): Promise<ClockReading>
  /**
   * From one due retry to the next, until none waits.
   * @example
   * const { offsetMs } = await sandbox.clock.runUntilIdle()
   */
  runUntilIdle(): Promise<ClockReading>
}

export interface SandboxFaults {
  /**
   * Changes answers, or breaks them.
   * @example
   * await sandbox.faults.add({ match: { route: '/oauth/token' }, oauthError: 'server_error', times: 1 })
   */
  add(rule: FaultRule): Promise<AddedFault>
  /**
   * The rules, with how often each was used.
   * @example
   * const [rule] = await sandbox.faults.list()
   */
  list(): Promise<FaultItem[]>
  /**
   * Ends a rule.
   * @example
   * const { id } = await sandbox.faults.add({ match: { webhookId: '*' }, break: 'reset' })
   * await sandbox.faults.remove(id)
   */
  remove(id: string): Promise<void>
  /**
   * Ends all rules.
   * @example
   * await sandbox.faults.clear()
   */
  clear(): Promise<void>
}

export interface SandboxBarriers {
  /**
   * Holds requests until they are released.
   * @example
   * const { id } = await sandbox.barriers.add({ match: { route: '/oauth/token' }, count: 2 })
   */
  add(rule: AddBarrierRequest): Promise<AddedBarrier>
  /**
   * The barriers, with the requests that wait at each.
   * @example
   * const [barrier] = await sandbox.barriers.list()
   */
  list(): Promise<Barrier[]>
  /**
   * Lets the requests go that wait.
   * @param order request ids, first to go first
   * @example
   * const [barrier] = await sandbox.barriers.list()
   * if (barrier) await sandbox.barriers.release(barrier.id, barrier.held.toReversed())
   */
  release(id: string, order?: readonly string[]): Promise<ReleasedBarrier>
}

export interface SandboxKeys {
  /**
   * The published keys.
   * @example
   * const current = (await sandbox.keys.list()).find(({ state }) => state === 'current')
   */
  list(): Promise<KeyItem[]>
  /**
   * Signs with a new key from here on.
   * @example
   * const { kid } = await sandbox.keys.rotate({ keepOld: false })
   */
  rotate(options?: RotateKeyRequest): Promise<RotatedKey>
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

/** What a user says to a device; by default the first user approves. */
export type DeviceDecision = Partial<DecideDeviceRequest>

/** What a fault rule is made from. */
export type FaultRule = AddFaultRequest
export type HeldBarrier = ReleasedBarrier
export type Delivery = DeliveryItem
export type DeliveryAttempt = AttemptItem
