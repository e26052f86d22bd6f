import type { Fixtures } from '../contract/fixtures-types.ts'

// Written by hand: whoever installs the package has neither typebox nor fastify, so its public types name neither.

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

  /** Signs a user in to an app by the authorization code flow, without a browser. */
  signIn(options?: SignInOptions): Promise<TokenResponse>
  /** Allows (or denies) what a device waits for. */
  approveDevice(userCode: string, options?: DeviceDecision): Promise<{ status: string }>
  /** Causes an event. */
  trigger(request: TriggerRequest): Promise<TriggerResult>
  /** The first delivery that matches, past ones included. Rejects when none came in time. */
  waitForDelivery(
    matches?: (delivery: Delivery) => boolean,
    options?: { timeoutMs?: number },
  ): Promise<Delivery>
  /** Resolves when nothing is queued or in flight (`waiting`: and no retry waits); rejects with what is outstanding. */
  idle(options?: { timeoutMs?: number; waiting?: boolean }): Promise<void>

  /** Keeps the whole state under a name. */
  snapshot(name?: string): Promise<{ name: string }>
  /** Goes back to a kept state. */
  restore(name: string): Promise<void>
  /** Another sandbox in memory that starts from this one's present state; the two share nothing. */
  fork(): Promise<Sandbox>
  /** Back to the fixtures: tokens, sessions, deliveries, logs, clock, faults. Snapshots stay. */
  reset(): Promise<void>
  /**
   * Finishes what is in flight (5 s at most), saves and lets go of everything. Calling it again ends it now. Every
   * other call rejects with a {@link SandboxClosedError} from here on, and whoever waits is told at once.
   */
  close(): Promise<void>

  /** Calls the control API, for whatever has no method here. Rejects with a {@link ControlError}. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
}

export interface ClockReading {
  /** ISO 8601 */
  now: string
  frozen: boolean
  offsetMs: number
}

export interface SandboxClock {
  read(): Promise<ClockReading>
  /** @param duration `8h`, `90s`, `1h30m` */
  advance(duration: string): Promise<ClockReading>
  set(time: Date | string): Promise<ClockReading>
  freeze(): Promise<ClockReading>
  resume(): Promise<ClockReading>
  /** From one due retry to the next, until none waits. */
  runUntilIdle(): Promise<ClockReading>
}

export interface FaultMatch {
  /** Path, such as `/oauth/token`; `*` stands for anything. */
  route?: string
  method?: string
  grantType?: string
  clientId?: string
  /** Deliveries of this webhook (`*` = any) instead of requests. */
  webhookId?: string
}

export interface FaultRule {
  match: FaultMatch
  /** Matches let through first. */
  skip?: number
  /** Matches concerned after that; absent = all. */
  times?: number
  /** `250ms` */
  delay?: string
  status?: number
  oauthError?: string
  headers?: Record<string, string>
  body?: unknown
  set?: Record<string, unknown>
  remove?: string[]
  idToken?: { kid?: string; claims?: Record<string, unknown> }
  break?: 'reset' | 'truncate' | 'html'
}

export interface SandboxFaults {
  add(rule: FaultRule): Promise<FaultRule & { id: string; hits: number }>
  list(): Promise<(FaultRule & { id: string; hits: number })[]>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

export interface HeldBarrier {
  id: string
  /** Ids of the requests that wait. */
  held: string[]
}

export interface SandboxBarriers {
  add(rule: { match: FaultMatch; count: number }): Promise<HeldBarrier>
  list(): Promise<HeldBarrier[]>
  /** @param order request ids, first to go first */
  release(id: string, order?: readonly string[]): Promise<HeldBarrier>
}

export interface SandboxKeys {
  list(): Promise<{ kid: string; state: 'current' | 'retired'; jwk: Record<string, unknown> }[]>
  rotate(options?: { keepOld?: boolean }): Promise<{ kid: string }>
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

export interface DeviceDecision {
  /** Default: the first user. */
  user?: string
  decision?: 'approve' | 'deny'
  organizations?: readonly string[]
}

/** RFC 6749 §5.1, in wire names. */
export interface TokenResponse {
  access_token: string
  token_type: string
  /** Seconds. */
  expires_in: number
  scope: string
  refresh_token?: string
  id_token?: string
}

export interface TriggerRequest {
  /** Scope, or scope and action: `repo.content`, `discussion.create`. */
  event: string
  /** Which of its causes; the first is the default. */
  kind?: string
  repo: string
  mode?: 'do' | 'send'
  overrides?: Record<string, unknown>
  remove?: readonly string[]
  repeat?: { times: number; perSecond?: number }
  preview?: boolean
}

export interface TriggerResult {
  events: { id: string; scope: string; action: string }[]
  deliveries: { id: string; eventId: string; webhookId: string }[]
  skipped: { eventId: string; webhookId: string; reason: string }[]
}

export interface Delivery {
  id: string
  webhookId: string
  eventId: string
  state:
    | 'held'
    | 'queued'
    | 'sending'
    | 'waiting'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'skipped'
  scope: string
  action: string
  repo: string
  attempts: DeliveryAttempt[]
  payload?: unknown
  nextRetryAt?: string
}

export interface DeliveryAttempt {
  number: number
  source: 'auto' | 'retry' | 'replay' | 'recovered'
  at: string
  durationMs?: number
  status?: number
  error?: { class: string; message: string }
}
