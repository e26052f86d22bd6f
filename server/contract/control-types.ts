// Generated from the schemas of the control API by `npm run docs`. It exists because the package's
// public types must not need typebox.

export interface Issue {
  /** Where, such as `redirectUris[1]`. */
  path: string
  /** What is wrong there. */
  message: string
}

export interface ErrorBody {
  /** Short code, such as `not_found`. */
  error: string
  /** A sentence for the developer. */
  message: string
  /** Every mistake in the request. */
  issues?: Issue[]
}

export interface PageQuery {
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

/** A user. */
export interface UserRef {
  /** 24 hex digits. */
  id: string
  /** Name in addresses. */
  username: string
  /** Address of the picture. */
  avatarUrl: string
}

/** An OAuth app. */
export interface AppRef {
  /** `client_id` (RFC 6749 §2.2). */
  clientId: string
  /** Name shown at consent. */
  name: string
}

/** An organization. */
export interface OrganizationRef {
  /** 24 hex digits. */
  id: string
  /** Name in addresses. */
  name: string
}

/** A line of an organization’s audit log. */
export interface AuditItem {
  /** 24 hex digits. */
  id: string
  /** Name of the organization. */
  organization: string
  /** Kind of event, such as oauth-app.create. */
  type: string
  /** What happened. */
  message: string
  /** When it happened (ISO 8601). */
  createdAt: string
  /** A user. */
  author?: UserRef
  data?: Record<string, unknown>
  /** Address it came from. */
  ip?: string
  /** Program it came from. */
  userAgent?: string
  /** Token that was used or issued. */
  tokenId?: string
  /** App that was used. */
  clientId?: string
}

export interface AuditList {
  items: AuditItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface AuditQuery {
  /** Name of the organization. */
  organization?: string
  /** Kind of event. */
  type?: string
  /** Username. */
  author?: string
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

export interface CreateOrganizationRequest {
  /** Name in addresses, which users and organizations share: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  name: string
  /** Name for people. */
  fullname?: string
  /** Plan of the organization. */
  plan?: 'free' | 'team' | 'enterprise' | 'plus' | 'academia'
  /** Has a payment method. */
  canPay?: boolean
  /** All members; replaces the present ones. */
  members?: readonly {
    /** Username. */
    user: string
    /** Role in the organization. */
    role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
  }[]
  /** All groups; replaces the present ones, those of the same name keep their id. */
  resourceGroups?: readonly {
    /** Name of the group. */
    name: string
    members: readonly {
      /** Username. */
      user: string
      /** Role in the organization. */
      role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
    }[]
  }[]
  /** All restrictions; replaces the present ones. */
  securityRestrictions?: readonly {
    /** What bars members from the resources. */
    type: 'mfa' | 'token-policy' | 'token-revoked' | 'sso' | 'ip'
    users?: readonly string[]
  }[]
}

export interface CreateUserRequest {
  /** Name in addresses, which users and organizations share: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  username: string
  /** Name for people. */
  fullname?: string
  /** E-mail address. */
  email?: string
  /** Claim email_verified. */
  emailVerified?: boolean
  /** Has a PRO subscription. */
  isPro?: boolean
  /** Has a payment method. */
  canPay?: boolean
  /** Address of the picture; default: a drawn one. */
  avatar?: string
  /** Claim website. */
  website?: string
  /** Must be typed on the login page. */
  password?: string
}

/** An organization. */
export interface OrganizationItem {
  /** 24 hex digits. */
  id: string
  /** Name in addresses, which users and organizations share: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  name: string
  /** Name for people. */
  fullname: string
  /** Plan of the organization. */
  plan: 'free' | 'team' | 'enterprise' | 'plus' | 'academia'
  /** Has a payment method. */
  canPay: boolean
  /** Address of the picture. */
  avatarUrl: string
  members: {
    /** A user. */
    user: UserRef
    /** Role in the organization. */
    role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
  }[]
  resourceGroups: {
    /** 24 hex digits. */
    id: string
    /** Name of the group. */
    name: string
    members: {
      /** A user. */
      user: UserRef
      /** Role in the organization. */
      role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
    }[]
  }[]
  securityRestrictions: {
    /** What bars members from the resources. */
    type: 'mfa' | 'token-policy' | 'token-revoked' | 'sso' | 'ip'
    /** Only these; absent = every member. */
    users?: string[]
  }[]
  /** When it was made (ISO 8601). */
  createdAt: string
}

export interface OrganizationList {
  items: OrganizationItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface UpdateOrganizationRequest {
  /** Name in addresses, which users and organizations share: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  name?: string
  /** Name for people. */
  fullname?: string
  /** Plan of the organization. */
  plan?: 'free' | 'team' | 'enterprise' | 'plus' | 'academia'
  /** Has a payment method. */
  canPay?: boolean
  /** All members; replaces the present ones. */
  members?: readonly {
    /** Username. */
    user: string
    /** Role in the organization. */
    role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
  }[]
  /** All groups; replaces the present ones, those of the same name keep their id. */
  resourceGroups?: readonly {
    /** Name of the group. */
    name: string
    members: readonly {
      /** Username. */
      user: string
      /** Role in the organization. */
      role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
    }[]
  }[]
  /** All restrictions; replaces the present ones. */
  securityRestrictions?: readonly {
    /** What bars members from the resources. */
    type: 'mfa' | 'token-policy' | 'token-revoked' | 'sso' | 'ip'
    users?: readonly string[]
  }[]
}

export interface UpdateUserRequest {
  /** Name in addresses, which users and organizations share: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  username?: string
  /** Name for people. */
  fullname?: string
  /** E-mail address. */
  email?: string
  /** Claim email_verified. */
  emailVerified?: boolean
  /** Has a PRO subscription. */
  isPro?: boolean
  /** Has a payment method. */
  canPay?: boolean
  avatar?: string | null
  website?: string | null
  password?: string | null
}

/** A user. */
export interface UserItem {
  /** 24 hex digits; the claim sub. */
  id: string
  /** Name in addresses, which users and organizations share: letters and digits, with single hyphens, underscores and dots between them, at most 42. */
  username: string
  /** Name for people. */
  fullname: string
  /** E-mail address. */
  email: string
  /** Claim email_verified. */
  emailVerified: boolean
  /** Has a PRO subscription. */
  isPro: boolean
  /** Has a payment method. */
  canPay: boolean
  /** Address of the picture. */
  avatarUrl: string
  /** Claim website. */
  website?: string
  /** Whether the login page asks for one. */
  hasPassword: boolean
  organizations: {
    /** Organization. */
    name: string
    /** Role in the organization. */
    role: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
  }[]
  /** When the account was made (ISO 8601). */
  createdAt: string
}

export interface UserList {
  items: UserItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

/** An OAuth app. */
export interface AppItem {
  /** `client_id` (RFC 6749 §2.2). */
  clientId: string
  /** Name shown at consent. */
  name: string
  /** Settings or fixtures, RFC 7591, a client metadata document, or a Space. */
  origin: 'settings' | 'registration' | 'metadata-document' | 'space'
  /** Without a secret (RFC 6749 §2.1). */
  public: boolean
  /** The secret; it is a fake. */
  clientSecret?: string
  /** Where codes may be sent, compared exactly; the port of loopback ones is free. */
  redirectUris: string[]
  /** Scopes of a request that names none; under --strict also the only ones the app may ask for. */
  scopes: string[]
  /** User who registered it, by name. */
  owner?: string
  /** Organization the app is bound to, by name. */
  organization?: string
  privileges: 'token-exchange'[]
  /** Life of its access tokens, for token exchange (90s, 15m, 8h). */
  tokenDuration?: string
  /** Only members of these organizations may sign in, by name. */
  authorizedOrganizations?: string[]
  /** Space that it belongs to. */
  space?: string
  /** Address of the logo. */
  logoUri?: string
  /** Address of the app’s site. */
  clientUri?: string
  /** URL of the app’s privacy policy. */
  policyUri?: string
  /** URL of the app’s terms of service. */
  tosUri?: string
  /** Its tokens that are accepted now. */
  activeTokens: number
  /** When it was registered (ISO 8601). */
  createdAt: string
  /** Remarks on the request that wrote it: unknown scopes, which are left out. */
  notices?: string[]
}

export interface AppList {
  items: AppItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface AppSecret {
  /** The new secret; the old one no longer works. */
  clientSecret: string
}

export interface ConsentItem {
  /** A user. */
  user: UserRef
  /** An OAuth app. */
  app: AppRef
  /** Scopes allowed. */
  scopes: string[]
  /** Organizations ticked. */
  organizations: OrganizationRef[]
  /** When it was last confirmed (ISO 8601). */
  grantedAt: string
}

export interface ConsentList {
  items: ConsentItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface CreateAppRequest {
  /** Name shown at consent. */
  name: string
  /** Default: a new one. */
  clientId?: string
  /** Make no secret. */
  public?: boolean
  /** This secret instead of a new one. */
  clientSecret?: string
  /** Where codes may be sent, compared exactly; the port of loopback ones is free. */
  redirectUris?: readonly string[]
  /** Scopes of a request that names none; under --strict also the only ones the app may ask for. */
  scopes?: readonly string[]
  /** User who registered it, by name. */
  owner?: string
  /** Organization the app is bound to, by name. */
  organization?: string
  /** Only members of these organizations may sign in, by name. */
  authorizedOrganizations?: readonly string[]
  privileges?: readonly 'token-exchange'[]
  /** Life of its access tokens, for token exchange (90s, 15m, 8h). */
  tokenDuration?: string
  /** Address of the logo. */
  logoUri?: string
  /** Address of the app’s site. */
  clientUri?: string
  /** URL of the app’s privacy policy. */
  policyUri?: string
  /** URL of the app’s terms of service. */
  tosUri?: string
}

export interface CreateMetadataDocumentRequest {
  /** `client_id`: the https address of the document. */
  url: string
  /** What is found there; checked when a client uses it, as on the hub. */
  document: Record<string, unknown>
}

export interface MetadataDocumentItem {
  /** `client_id`: the https address of the document. */
  url: string
  /** What is found there; checked when a client uses it, as on the hub. */
  document: Record<string, unknown>
}

export interface MetadataDocumentList {
  items: MetadataDocumentItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface RevokeConsentQuery {
  /** Username. */
  user: string
  /** App that loses every consent of the user, and its tokens. */
  clientId: string
}

export interface UpdateAppRequest {
  /** Name shown at consent. */
  name?: string
  /** Where codes may be sent, compared exactly; the port of loopback ones is free. */
  redirectUris?: readonly string[]
  /** Scopes of a request that names none; under --strict also the only ones the app may ask for. */
  scopes?: readonly string[]
  owner?: string | null
  organization?: string | null
  authorizedOrganizations?: readonly string[] | null
  privileges?: readonly 'token-exchange'[]
  tokenDuration?: string | null
  logoUri?: string | null
  clientUri?: string | null
  policyUri?: string | null
  tosUri?: string | null
}

export interface UpdateMetadataDocumentRequest {
  /** What is found there; checked when a client uses it, as on the hub. */
  document: Record<string, unknown>
}

export interface CompareRequest {
  /** A fixtures file, as fixtures.schema.json has it. */
  fixtures: unknown
}

export interface ComparedHost {
  /** Name or address, with the port where it is not the usual one. */
  host: string
  /** What leads there. */
  use: 'webhook' | 'redirect'
  /** Whether it is this machine. */
  isLoopback: boolean
}

/** Users, or apps, and so on. */
export interface ComparedThings {
  /** What they are. */
  kind: 'users' | 'organizations' | 'apps' | 'repos' | 'webhooks' | 'jobs'
  /** All that the other state has. */
  there: {
    /** How many. */
    count: number
    /** The first of them, by name. */
    names: string[]
  }
  /** How many the present state has. */
  here: number
  /** There, and not here. */
  added: {
    /** How many. */
    count: number
    /** The first of them, by name. */
    names: string[]
  }
  /** Here, and not there. */
  removed: {
    /** How many. */
    count: number
    /** The first of them, by name. */
    names: string[]
  }
  /** Here and there, but not alike. */
  changed: {
    /** How many. */
    count: number
    things: {
      /** Name, or id where it has none. */
      name: string
      /** Members of the fixtures that differ; no value is told. */
      members: string[]
    }[]
  }
}

export interface Comparison {
  /** One entry for each kind. */
  things: ComparedThings[]
  /** Where webhooks and redirects of the other state lead. */
  hosts: ComparedHost[]
}

/** The clock of the sandbox. */
export interface ClockReading {
  /** The time as the sandbox sees it (ISO 8601). */
  now: string
  /** Whether it stands still. */
  frozen: boolean
  /** How far it is ahead of real time. */
  offsetMs: number
}

/** Exactly one. */
export interface MoveClockRequest {
  /** Move on by this much, such as `8h` (90s, 15m, 8h). */
  advance?: string
  /** Go to this time (ISO 8601). */
  set?: string
  /** Stop (true) or run on (false). */
  frozen?: boolean
  /** Go from one due retry to the next until none waits; resolves when all is done. */
  untilIdle?: true
}

/** One try of a delivery. */
export interface AttemptItem {
  /** From 1 within the delivery. */
  number: number
  /** What caused it. */
  source: 'auto' | 'retry' | 'replay' | 'recovered'
  /** When it was started (ISO 8601). */
  at: string
  /** Absent while in flight; unknown after a crash. */
  outcome?: 'succeeded' | 'failed' | 'unknown'
  /** In real time. */
  durationMs?: number
  /** HTTP status, or exit code of a job. */
  status?: number
  error?: DeliveryError
  /** What was wrong with an answer although its status decides. */
  note?: string
  /** What went wrong and what helps, in a sentence. */
  explanation?: string
  /** Job that was started. */
  jobId?: string
  /** How long each phase took in real time, as far as it came. */
  timings?: AttemptTimings
  request?: {
    /** HTTP method. */
    method: string
    /** Target at that time. */
    url: string
    /** Pairs of name and value. */
    headers: [string, string][]
  }
  response?: {
    /** HTTP status. */
    status: number
    /** Pairs of name and value. */
    headers: [string, string][]
    /** Beginning of the body. */
    body: string
    /** Of `body`. */
    encoding: 'utf-8' | 'base64'
    /** Bytes received, kept or not. */
    size: number
    /** Whether there was more. */
    truncated: boolean
  }
}

/** How long each phase took in real time, as far as it came. */
export interface AttemptTimings {
  /** Milliseconds: a fault rule held it back. */
  faultMs?: number
  /** Milliseconds: looking up the name. */
  dnsMs?: number
  /** Milliseconds: opening the connection. */
  connectMs?: number
  /** Milliseconds: the TLS handshake. */
  tlsMs?: number
  /** Milliseconds: from the connection to the first byte of the answer. */
  waitMs?: number
  /** Milliseconds: reading the answer. */
  readMs?: number
}

export interface DeliveryError {
  /** Kind of failure. */
  class:
    | 'dns_error'
    | 'connection_refused'
    | 'connection_reset'
    | 'network_unreachable'
    | 'connect_timeout'
    | 'timeout'
    | 'tls_error'
    | 'http_status'
    | 'redirect'
    | 'protocol_error'
    | 'blocked_target'
    | 'sender_fault'
    | 'aborted_by_shutdown'
    | 'job_failed'
  /** What happened, in a sentence. */
  message: string
}

/** One webhook’s share of one event. */
export interface DeliveryItem {
  /** The hub’s log id. */
  id: string
  /** Webhook-Id header: the same over all attempts. */
  messageId?: string
  /** Webhook. */
  webhookId: string
  /** Event it tells of. */
  eventId: string
  /** Scope of the event. */
  scope: string
  /** Action of the event. */
  action: string
  /** namespace/name. */
  repo: string
  /** model, dataset or space. */
  repoType: string
  /** Where it stands. */
  state:
    | 'held'
    | 'queued'
    | 'sending'
    | 'waiting'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'skipped'
  /** Why nothing is sent. */
  reason?:
    | 'disabled'
    | 'suspended'
    | 'not-watched'
    | 'domain-filtered'
    | 'quota-exceeded'
    | 'private-not-visible'
    | 'offline-target-blocked'
  /** Why it stands there and what comes next, in a sentence. */
  explanation?: string
  /** What made the webhook listen. */
  matchedBy?: string
  attempts: AttemptItem[]
  /** The body; skipped ones and rows have none. */
  payload?: unknown
  /** When the next attempt is due (ISO 8601). */
  nextRetryAt?: string
  /** When it was made (ISO 8601). */
  createdAt: string
  /** When it succeeded, failed or was cancelled (ISO 8601). */
  finishedAt?: string
  /** Why it was cancelled. */
  cancelledBecause?: string
  /** Delivery that it was made from: edited, or a duplicate. */
  derivedFrom?: string
  /** True where its body is that of the one it was made from. */
  duplicate?: boolean
  /** True where no state was changed for it. */
  synthetic?: boolean
}

export interface DeliveryList {
  items: DeliveryItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface DeliveryQuery {
  /** Only of this webhook. */
  webhookId?: string
  /** Only of this event. */
  eventId?: string
  /** Only in this state, or these, with commas; skipped ones only if asked for. */
  state?: string
  /** Only of this repository. */
  repo?: string
  /** Only of this scope; `repo.*` = narrower, too. */
  scope?: string
  /** Only made at or after this time (ISO 8601). */
  since?: string
  /** rows: without payloads, and attempts without timings, requests and responses. Default: full. */
  view?: 'full' | 'rows'
  /** Answers NDJSON that goes on: a line for each change. */
  follow?: '1'
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

/** How the deliveries in the log have fared. */
export interface DeliveryStatistics {
  /** Deliveries in the log that were tried: the sum of those below. */
  attempted: number
  /** Received, by whichever attempt. */
  succeeded: number
  /** Of these, by the very first attempt. */
  succeededAtFirst: number
  /** No retry is left. */
  failed: number
  /** Failed so far, and to be tried again. */
  failing: number
  /** Given up after a try. */
  cancelled: number
  /** succeeded / attempted; null when none was tried. */
  successRate: number | null
  /** succeededAtFirst / attempted; null when none was tried. */
  firstAttemptRate: number | null
}

/** What caused a delivery, and what may have come of it. */
export interface DeliveryStory {
  /** How its event came about; absent where that was not kept. */
  cause?: 'api' | 'trigger' | 'synthetic'
  /** A user. */
  actor?: UserRef
  /** What caused it, in a sentence. */
  explanation: string
  /** Commit that the event tells of. */
  commitId?: string
  /** Number of the discussion that it tells of. */
  discussion?: number
  /** What happened while it was handled; absent before the first attempt. */
  effects?: {
    /** When its last attempt was started (ISO 8601). */
    from: string
    /** 5 s after that attempt had ended (ISO 8601). */
    to: string
    /** By what these are taken for effects, which nobody told: a sentence. */
    basis: string
    /** Of the owner of the webhook, oldest first; 100 at most. */
    requests: RequestItem[]
    /** In the same repository, newest first; 100 at most. */
    commits: CommitItem[]
    /** Of other events, to the same webhook, oldest first; 100 at most. */
    deliveries: {
      /** Delivery. */
      id: string
      /** Scope of its event. */
      scope: string
      /** Action of its event. */
      action: string
      /** When it was made (ISO 8601). */
      createdAt: string
    }[]
  }
}

export interface Idle {
  idle: true
}

export interface IdleQuery {
  /** In real time; default `10s` (90s, 15m, 8h). */
  timeout?: string
  /** 1: retries that wait count, too. */
  waiting?: '0' | '1'
}

export interface NotIdle {
  error: 'not_idle'
  /** What is outstanding, in a sentence. */
  message: string
  outstanding: OutstandingItem[]
}

export interface OutstandingItem {
  /** Delivery. */
  deliveryId: string
  /** Webhook. */
  webhookId: string
  /** Where it stands. */
  state:
    | 'held'
    | 'queued'
    | 'sending'
    | 'waiting'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'skipped'
  /** When the next attempt is due (ISO 8601). */
  nextRetryAt?: string
}

export interface ReplayManyRequest {
  /** Deliveries; one that is named twice is sent twice. */
  ids: readonly string[]
  /** How they are started; shuffled: by the ids of the sandbox, so that a seed repeats it. Default: as given. */
  order?: 'given' | 'shuffled'
  /** Sends the body of each as so many new deliveries, with a Webhook-Id of their own. Default: each is sent once more, as itself. */
  duplicates?: number
}

export interface ReplayRequest {
  /** Sent instead, as a new delivery marked as derived. */
  payload?: unknown
}

export interface ReplayedItem {
  /** Delivery that was asked for. */
  deliveryId: string
  /** Delivery that was made of it. */
  duplicateId?: string
  /** One try of a delivery. */
  attempt?: AttemptItem
  /** Why nothing was sent, as a sentence. */
  refused?: string
}

export interface ReplayedMany {
  /** In the order in which they were started; attempts as in the view `rows`. */
  items: ReplayedItem[]
  /** Attempts that succeeded. */
  succeeded: number
  /** Attempts that did not. */
  failed: number
  /** Of which nothing was sent. */
  refused: number
}

export interface EventCatalog {
  items: EventDescription[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface EventDescription {
  /** Scope, or scope and action. */
  event: string
  /** Scope in the payload. */
  scope: string
  /** Action in the payload. */
  action: string
  /** A few words for people. */
  title: string
  /** The first is the default; empty where there is but one way. */
  kinds: {
    /** What causes it. */
    kind: string
    /** A few words for people. */
    title: string
    /** Events that come with it. */
    sideEvents: string[]
  }[]
  fields: {
    /** Path in the payload, for `overrides` and `remove`. */
    path: string
    /** string, boolean, integer, object, array. */
    type: string
    /** What it means. */
    description: string
  }[]
}

export interface LastTrigger {
  request?: TriggerRequest
}

/** A trigger that is repeated at a rate. */
export interface RepeatItem {
  /** Repeated trigger. */
  id: string
  /** What is caused. */
  event: string
  /** Where. */
  repo: string
  /** How often in all. */
  times: number
  /** How often so far. */
  done: number
  /** Rate. */
  perSecond: number
  /** When it began, in real time (ISO 8601). */
  startedAt: string
}

export interface RepeatList {
  items: RepeatItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface TriggerHeaders {
  /** Kept for 24 hours. */
  'idempotency-key'?: string
}

export interface TriggerRequest {
  /** Scope, or scope and action, such as `repo.content`. */
  event: string
  /** Which of its causes; default: the first. */
  kind?: string
  /** namespace/name, with models/, datasets/ or spaces/ before it where needed. */
  repo: string
  /** Change the state (default), or send a payload without a change. */
  mode?: 'do' | 'send'
  /** Path in the payload to the value sent there. */
  overrides?: Record<string, unknown>
  /** Paths left out of the payload. */
  remove?: readonly string[]
  repeat?: {
    /** How often. */
    times: number
    /** Rate; default: at once. */
    perSecond?: number
  }
  /** Only tell what would be sent; changes nothing. */
  preview?: boolean
}

export interface TriggerResult {
  events: {
    /** Event. */
    id: string
    /** Its scope. */
    scope: string
    /** Its action. */
    action: string
  }[]
  deliveries: {
    /** Delivery. */
    id: string
    /** Its event. */
    eventId: string
    /** Its webhook. */
    webhookId: string
  }[]
  skipped: {
    /** Event. */
    eventId: string
    /** Webhook that does not get it. */
    webhookId: string
    /** Why. */
    reason:
      | 'disabled'
      | 'suspended'
      | 'not-watched'
      | 'domain-filtered'
      | 'quota-exceeded'
      | 'private-not-visible'
      | 'offline-target-blocked'
  }[]
  /** Of what goes on at a rate; `events/repeats` lists and stops it. */
  repeatId?: string
  /** With `preview` only. */
  payloads?: {
    /** Event. */
    eventId: string
    /** Webhook. */
    webhookId: string
    /** What it would get. */
    payload: unknown
  }[]
}

export interface AddBarrierRequest {
  /** What the rule concerns. */
  match: FaultMatch
  /** Requests held at most; later ones pass. */
  count: number
}

export interface AddFaultRequest {
  /** What the rule concerns. */
  match: FaultMatch
  /** Matches let through first. */
  skip?: number
  /** Matches concerned after that; default: all. */
  times?: number
  /** Wait before answering, in real time (90s, 15m, 8h). */
  delay?: string
  /** Status of the answer. */
  status?: number
  /** Refuse with this error code (RFC 6749 §5.2). */
  oauthError?: string
  /** Headers set on the answer. */
  headers?: Record<string, string>
  /** Answer this: text, or JSON. */
  body?: unknown
  /** Path in the JSON answer to the value put there. */
  set?: Record<string, unknown>
  /** Paths left out of the JSON answer. */
  remove?: readonly string[]
  /** Changes to the ID token, which is signed again. */
  idToken?: {
    /** Header kid. */
    kid?: string
    /** Claims set; null removes one. */
    claims?: Record<string, unknown>
    /** The signature is of other bytes, and does not verify. */
    breakSignature?: true
  }
  /** Cut the connection, half the body, or a proxy’s page. */
  break?: 'reset' | 'truncate' | 'html'
}

/** The new barrier. */
export interface AddedBarrier {
  /** Barrier. */
  id: string
  /** What the rule concerns. */
  match: FaultMatch
  /** Requests held at most. */
  count: number
  /** Ids of the requests that wait, in order. */
  held: string[]
  /** What the rule names that is not there, and what was likely meant. */
  hints?: string[]
}

/** The new rule. */
export interface AddedFault {
  /** Rule. */
  id: string
  /** What the rule concerns. */
  match: FaultMatch
  /** Matches let through first. */
  skip?: number
  /** Matches concerned after that; default: all. */
  times?: number
  /** Wait before answering, in real time (90s, 15m, 8h). */
  delay?: string
  /** Status of the answer. */
  status?: number
  /** Refuse with this error code (RFC 6749 §5.2). */
  oauthError?: string
  /** Headers set on the answer. */
  headers?: Record<string, string>
  /** Answer this: text, or JSON. */
  body?: unknown
  /** Path in the JSON answer to the value put there. */
  set?: Record<string, unknown>
  /** Paths left out of the JSON answer. */
  remove?: string[]
  /** Changes to the ID token, which is signed again. */
  idToken?: {
    /** Header kid. */
    kid?: string
    /** Claims set; null removes one. */
    claims?: Record<string, unknown>
    /** The signature is of other bytes, and does not verify. */
    breakSignature?: true
  }
  /** Cut the connection, half the body, or a proxy’s page. */
  break?: 'reset' | 'truncate' | 'html'
  /** Answers changed so far. */
  hits: number
  /** Matches seen so far, those let through included. */
  matches: number
  /** When it was added (ISO 8601). */
  createdAt: string
  /** What the rule names that is not there, and what was likely meant. */
  hints?: string[]
}

/** A rule that holds requests until released. */
export interface Barrier {
  /** Barrier. */
  id: string
  /** What the rule concerns. */
  match: FaultMatch
  /** Requests held at most. */
  count: number
  /** Ids of the requests that wait, in order. */
  held: string[]
}

export interface BarrierList {
  items: Barrier[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

/** A rule that changes answers. */
export interface FaultItem {
  /** Rule. */
  id: string
  /** What the rule concerns. */
  match: FaultMatch
  /** Matches let through first. */
  skip?: number
  /** Matches concerned after that; default: all. */
  times?: number
  /** Wait before answering, in real time (90s, 15m, 8h). */
  delay?: string
  /** Status of the answer. */
  status?: number
  /** Refuse with this error code (RFC 6749 §5.2). */
  oauthError?: string
  /** Headers set on the answer. */
  headers?: Record<string, string>
  /** Answer this: text, or JSON. */
  body?: unknown
  /** Path in the JSON answer to the value put there. */
  set?: Record<string, unknown>
  /** Paths left out of the JSON answer. */
  remove?: string[]
  /** Changes to the ID token, which is signed again. */
  idToken?: {
    /** Header kid. */
    kid?: string
    /** Claims set; null removes one. */
    claims?: Record<string, unknown>
    /** The signature is of other bytes, and does not verify. */
    breakSignature?: true
  }
  /** Cut the connection, half the body, or a proxy’s page. */
  break?: 'reset' | 'truncate' | 'html'
  /** Answers changed so far. */
  hits: number
  /** Matches seen so far, those let through included. */
  matches: number
  /** When it was added (ISO 8601). */
  createdAt: string
}

export interface FaultList {
  items: FaultItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

/** What the rule concerns. */
export interface FaultMatch {
  /** Path, such as `/oauth/token`; `*` stands for any text, `{name}` for one segment, as in the OpenAPI document. */
  route?: string
  /** HTTP method. */
  method?: string
  /** `grant_type` of a token request. */
  grantType?: string
  /** App. */
  clientId?: string
  /** Deliveries of this webhook (`*` = any) instead of requests; not for a barrier, which holds requests. */
  webhookId?: string
}

export interface FaultPreview {
  /** Requests, or deliveries, that are remembered. */
  considered: number
  /** Those of them that it concerns. */
  matched: number
  /** The latest of these, at most 20. */
  requests: RequestItem[]
  /** The latest of these, at most 20. */
  deliveries: DeliveryItem[]
  /** What the rule names that is not there, and what was likely meant. */
  hints?: string[]
}

export interface PreviewFaultRequest {
  /** What the rule concerns. */
  match: FaultMatch
}

export interface ReleaseBarrierRequest {
  /** Request ids, first to go first; the others follow as they came. */
  order?: readonly string[]
}

export interface ReleasedBarrier {
  /** Barrier. */
  id: string
  /** Ids of the requests, in order. */
  held: string[]
}

export interface CreateForkRequest {
  /** Ends once nobody follows it any more, or if nobody does within 10 s. */
  temporary?: boolean
}

/** A sandbox that was made from the state of this one, and ends with it. */
export interface ForkItem {
  /** Fork. */
  id: string
  /** Its issuer, and root of its addresses. */
  url: string
  /** Its dashboard, with the control token. */
  dashboardUrl: string
  /** Its control token: that of its origin, where that has one. */
  controlToken?: string
  /** Whether it ends with those who follow it. */
  temporary: boolean
}

export interface ForkList {
  items: ForkItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface ForkQuery {
  /** Answers NDJSON that goes on as long as the fork does. */
  follow?: '1'
}

export interface Health {
  /** Whether requests are taken. */
  status: 'ok' | 'stopping'
  /** Version of the sandbox. */
  version?: string
  /** Since the start, in real time (90s, 15m, 8h). */
  uptime?: string
  /** The clock of the sandbox. */
  clock?: ClockReading
}

export interface Overview {
  /** Version of the sandbox. */
  version: string
  /** Process that it runs in. */
  pid: number
  /** Folder of its state; absent: in memory only. */
  dataDirectory?: string
  /** Issuer and root of the absolute URLs in sign-in and payloads. */
  baseUrl: string
  /** Where apps reach it that cannot do so by the base URL. */
  backChannelUrl?: string
  /** In real time (ISO 8601). */
  startedAt: string
  /** The clock of the sandbox. */
  clock: ClockReading
  /** Rules of webhook deliveries. */
  deliveryProfile: string
  /** Where the fixtures were loaded from. */
  fixturesSource: string
  /** Whether request limits are enforced. */
  rateLimits: boolean
  /** Whether the hub’s leniencies are off. */
  strict: boolean
  /** Whether public addresses may be called. */
  networkAllowed: boolean
  /** How to call a command for this sandbox. */
  commandLine: {
    /** Words such as `npx --no hub-sandbox`. */
    command: string[]
    /** Options by which a command finds this sandbox; none where it needs none. */
    options: string[]
  }
  /** What a client program must set to use this sandbox. */
  environment: Record<string, string>
  /** How the deliveries in the log have fared. */
  deliveries: DeliveryStatistics
  /** Webhooks whose last attempt failed. */
  failingWebhooks: number
  /** Resets and restores since the start. */
  resets: number
  counts: {
    /** Users. */
    users: number
    /** Organizations. */
    organizations: number
    /** OAuth apps. */
    apps: number
    /** Repositories. */
    repos: number
    /** Access tokens that are neither expired nor revoked. */
    activeTokens: number
    /** Device codes that wait for a user. */
    pendingDevices: number
    /** Webhooks. */
    webhooks: number
    /** Deliveries kept. */
    deliveries: number
    /** Deliveries that are neither finished nor skipped. */
    outstandingDeliveries: number
    /** Jobs. */
    jobs: number
    /** Requests kept. */
    requests: number
    /** Fault rules that may still match. */
    faults: number
  }
}

export interface CreateJobRequest {
  /** Who starts it. */
  user: string
  /** Default: the user. */
  namespace?: string
  /** Image; or `spaceId`. */
  dockerImage?: string
  /** Space; or `dockerImage`. */
  spaceId?: string
  command?: readonly string[]
  arguments?: readonly string[]
  /** Environment. */
  environment?: Record<string, string>
  /** Secret environment. */
  secrets?: Record<string, string>
  /** Hardware; default cpu-basic. */
  flavor?: string
  /** Labels. */
  labels?: Record<string, string>
}

export interface JobDetail {
  /** 24 hex digits. */
  id: string
  /** User or organization that pays. */
  namespace: string
  /** A user. */
  owner: UserRef
  /** Image it runs in. */
  dockerImage?: string
  /** Space it runs as. */
  spaceId?: string
  /** Command asked for. */
  command: string[]
  /** Arguments asked for. */
  arguments: string[]
  /** Environment. */
  environment: Record<string, string>
  /** Secret environment. */
  secrets: Record<string, string>
  /** Hardware. */
  flavor: string
  /** Labels. */
  labels: Record<string, string>
  /** Where it stands. */
  stage: 'SCHEDULING' | 'RUNNING' | 'COMPLETED' | 'CANCELED' | 'ERROR' | 'DELETED'
  /** Why it stands there. */
  message?: string
  /** Whether --run-jobs has a command for it, even one that could not be started; false: recorded only. */
  executed: boolean
  /** Of the process. */
  exitCode?: number
  /** Delivery that started it. */
  deliveryId?: string
  /** When it was asked for (ISO 8601). */
  createdAt: string
  /** When it was started (ISO 8601). */
  startedAt?: string
  /** When it ended (ISO 8601). */
  finishedAt?: string
  logs: {
    /** When (ISO 8601). */
    at: string
    /** What it printed. */
    line: string
  }[]
}

/** A job. */
export interface JobItem {
  /** 24 hex digits. */
  id: string
  /** User or organization that pays. */
  namespace: string
  /** A user. */
  owner: UserRef
  /** Image it runs in. */
  dockerImage?: string
  /** Space it runs as. */
  spaceId?: string
  /** Command asked for. */
  command: string[]
  /** Arguments asked for. */
  arguments: string[]
  /** Environment. */
  environment: Record<string, string>
  /** Secret environment. */
  secrets: Record<string, string>
  /** Hardware. */
  flavor: string
  /** Labels. */
  labels: Record<string, string>
  /** Where it stands. */
  stage: 'SCHEDULING' | 'RUNNING' | 'COMPLETED' | 'CANCELED' | 'ERROR' | 'DELETED'
  /** Why it stands there. */
  message?: string
  /** Whether --run-jobs has a command for it, even one that could not be started; false: recorded only. */
  executed: boolean
  /** Of the process. */
  exitCode?: number
  /** Delivery that started it. */
  deliveryId?: string
  /** When it was asked for (ISO 8601). */
  createdAt: string
  /** When it was started (ISO 8601). */
  startedAt?: string
  /** When it ended (ISO 8601). */
  finishedAt?: string
}

export interface JobList {
  items: JobItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface JobQuery {
  /** User or organization. */
  namespace?: string
  /** Where it stands. */
  stage?: 'SCHEDULING' | 'RUNNING' | 'COMPLETED' | 'CANCELED' | 'ERROR' | 'DELETED'
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

export interface MadeMend {
  /** A change that lets a refused sign-in pass when it is tried again. */
  made: Mend
  /** What to do now. */
  next: string
}

/** A change that lets a refused sign-in pass when it is tried again. */
export interface Mend {
  /** Of this very change: a mend that would change something else has another. */
  id: string
  /** What is changed. */
  kind: 'redirect-uri' | 'scope' | 'app' | 'member' | 'clock'
  /** What it does, in a few words. */
  title: string
  /** All that it changes, whole. */
  change: string
  /** Where codes could be sent from then on. */
  address?: {
    /** Redirect URI, to the letter. */
    value: string
    /** Whose it is, when it names a host. */
    host?: string
    /** Whether it leads to this machine. */
    loopback: boolean
  }
  /** The same for every start. */
  fixtures: {
    /** Where in a fixtures file. */
    place: string
    /** What stands there, as JSON. */
    lines: string
  }
  /** What to do there, where nobody mends by a button. */
  onTheHub: string
  /** Of a move of the clock: what else ends or falls due by it, each in a sentence. */
  alsoExpires?: string[]
}

export interface MendList {
  /** None where nothing is refused, or no change helps. */
  items: Mend[]
}

export interface CommentRequest {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** Markdown, 1 to 65536 characters. */
  content: string
}

/** A commit and the files that it changes. */
export interface CommitDetail {
  /** Git commit id. */
  id: string
  /** First line. */
  title: string
  /** The rest. */
  message: string
  /** Username at that time; `system` for the hub. */
  author: string
  /** To the second (ISO 8601). */
  date: string
  /** Commits that it builds on. */
  parents: string[]
  /** Files that are new, against the first parent. */
  added: string[]
  /** Files that changed. */
  modified: string[]
  /** Files that are gone. */
  deleted: string[]
  /** Files beyond the first 1,000 that are in none of these. */
  more: number
}

/** A commit. */
export interface CommitItem {
  /** Git commit id. */
  id: string
  /** First line. */
  title: string
  /** The rest. */
  message: string
  /** Username at that time; `system` for the hub. */
  author: string
  /** To the second (ISO 8601). */
  date: string
  /** Commits that it builds on. */
  parents: string[]
}

export interface CommitList {
  items: CommitItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface CommitParams {
  /** Kind of repository. */
  type: 'model' | 'dataset' | 'space'
  /** User or organization. */
  namespace: string
  /** Name in it. */
  name: string
  /** Commit; 7 to 40 hex digits. */
  id: string
}

export interface CommitRequest {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** Branch, tag, `refs/pr/N` or commit. Default: main. */
  revision?: string
  /** Path to its new text, or null to delete it. */
  files: Record<string, string | null>
  /** First line of the message. */
  title: string
  /** The rest of the message. */
  description?: string
  /** Refused unless the revision is still there. */
  parentCommit?: string
  /** As a pull request of its own, in place of the revision. */
  pullRequest?: boolean
}

export interface Committed {
  /** A commit. */
  commit: CommitItem
  /** Number of the one that was opened. */
  pullRequest?: number
}

export interface CreateRefRequest {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** What it is. */
  kind: 'branch' | 'tag'
  /** Without refs/…. */
  name: string
  /** Branch, tag, `refs/pr/N` or commit. Default: main. */
  revision?: string
}

export interface DeleteRefQuery {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** What it is. */
  kind: 'branch' | 'tag'
  /** Without refs/…. */
  name: string
}

/** A discussion or pull request with its comments. */
export interface DiscussionDetail {
  /** Number in the repository. */
  num: number
  /** Title. */
  title: string
  /** Status. */
  status: 'draft' | 'open' | 'closed' | 'merged'
  /** Whether it proposes a change. */
  isPullRequest: boolean
  /** A user. */
  author: UserRef
  /** When it was opened (ISO 8601). */
  createdAt: string
  /** Ref that a pull request is for. */
  base?: string
  /** Commit that merged it. */
  mergeCommitId?: string
  /** Files that keep it from being merged. */
  conflicts: string[]
  /** Oldest first. */
  timeline: TimelineItem[]
}

export interface DiscussionParams {
  /** Kind of repository. */
  type: 'model' | 'dataset' | 'space'
  /** User or organization. */
  namespace: string
  /** Name in it. */
  name: string
  /** Number in the repository. */
  num: number
}

export interface FileQuery {
  /** Path of a file. */
  path: string
  /** Branch, tag, `refs/pr/N` or commit. Default: main. */
  revision?: string
}

export interface MergeRequest {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** Markdown, 1 to 65536 characters. */
  comment?: string
}

export interface OpenDiscussionRequest {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** 3 to 200 characters. */
  title: string
  /** Opening comment; may be empty. */
  description?: string
  /** A draft pull request without commits. */
  pullRequest?: boolean
}

/** A file as text. */
export interface RepoFile {
  /** Path in the repository. */
  path: string
  /** Bytes. */
  size: number
  /** Git blob id. */
  oid: string
  /** Commit that the revision means now. */
  commitId: string
  /** No UTF-8 text: its content is not told. */
  binary: boolean
  /** Text; of a large file its beginning. */
  content?: string
  /** Whether there is more than 1 MiB of text. */
  truncated: boolean
}

export interface RepoFileItem {
  /** Path in the repository. */
  path: string
  /** Bytes. */
  size: number
  /** Git blob id. */
  oid: string
}

export interface RepoFileList {
  items: RepoFileItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface RepoParams {
  /** Kind of repository. */
  type: 'model' | 'dataset' | 'space'
  /** User or organization. */
  namespace: string
  /** Name in it. */
  name: string
}

export interface RevisionQuery {
  /** Branch, tag, `refs/pr/N` or commit. Default: main. */
  revision?: string
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

/** An entry of a discussion; the first is its opening comment. */
export interface TimelineItem {
  /** 24 hex digits. */
  id: string
  /** What it is. */
  type: 'comment' | 'status-change' | 'title-change' | 'commit'
  /** A user. */
  author?: UserRef
  /** When it happened (ISO 8601). */
  createdAt: string
  /** Of a comment that is not hidden. */
  content?: string
  /** A comment that was hidden. */
  hidden?: boolean
  /** When a comment was last edited (ISO 8601). */
  editedAt?: string
  /** New status. */
  status?: string
  /** Title before. */
  from?: string
  /** Title after. */
  to?: string
  /** Title of a commit. */
  subject?: string
  /** Commit. */
  oid?: string
}

export interface UpdateDiscussionRequest {
  /** Who does it, by username; the hub’s rules of permission apply. */
  user: string
  /** 3 to 200 characters. */
  title?: string
  /** Closes it, or opens it again or out of draft. */
  status?: 'open' | 'closed'
  /** Markdown, 1 to 65536 characters. */
  comment?: string
}

export interface CreateRepoRequest {
  /** Kind of repository. */
  type: 'model' | 'dataset' | 'space'
  /** namespace/name. */
  name: string
  /** Who can read it. */
  private?: boolean
  /** Whether readers must ask for access, and who answers. */
  gated?: false | 'auto' | 'manual'
  /** Spaces only; default static. */
  sdk?: string
  /** Path to text; written in one commit. */
  files?: Record<string, string>
  /** Who makes it; default: the owner or an admin of it. */
  user?: string
}

/** A repository with its files on main and its discussions. */
export interface RepoDetail {
  /** 24 hex digits. */
  id: string
  /** Kind of repository. */
  type: 'model' | 'dataset' | 'space'
  /** namespace/name. */
  name: string
  /** Who can see it. */
  visibility: 'public' | 'private' | 'protected'
  /** Whether only its owners can read it. */
  private: boolean
  /** Whether readers must ask for access, and who answers. */
  gated: false | 'auto' | 'manual'
  /** Spaces only. */
  sdk?: string
  /** Likes. */
  likes: number
  /** Downloads. */
  downloads: number
  /** Newest commit of main. */
  headSha?: string
  /** Branch names. */
  branches: string[]
  /** Tag names. */
  tags: string[]
  /** Discussions and pull requests. */
  discussions: number
  /** Address of its page. */
  url: string
  /** When it was made (ISO 8601). */
  createdAt: string
  /** When it last changed (ISO 8601). */
  updatedAt: string
  /** The first 10,000 files on main, in the order of git. */
  files: {
    /** Path on main. */
    path: string
    /** Bytes. */
    size: number
    /** Git blob id. */
    oid: string
  }[]
  /** Files beyond these; `files` lists all of them by page. */
  moreFiles?: number
  accessRequests: {
    /** A user. */
    user: UserRef
    /** Answer to the request. */
    status: 'pending' | 'accepted' | 'rejected'
    /** When it was made (ISO 8601). */
    at: string
  }[]
  discussionList: {
    /** Number in the repository. */
    num: number
    /** Title. */
    title: string
    /** Status. */
    status: 'draft' | 'open' | 'closed' | 'merged'
    /** Whether it proposes a change. */
    isPullRequest: boolean
    /** A user. */
    author: UserRef
    /** When it was opened (ISO 8601). */
    createdAt: string
  }[]
}

/** A repository. */
export interface RepoItem {
  /** 24 hex digits. */
  id: string
  /** Kind of repository. */
  type: 'model' | 'dataset' | 'space'
  /** namespace/name. */
  name: string
  /** Who can see it. */
  visibility: 'public' | 'private' | 'protected'
  /** Whether only its owners can read it. */
  private: boolean
  /** Whether readers must ask for access, and who answers. */
  gated: false | 'auto' | 'manual'
  /** Spaces only. */
  sdk?: string
  /** Likes. */
  likes: number
  /** Downloads. */
  downloads: number
  /** Newest commit of main. */
  headSha?: string
  /** Branch names. */
  branches: string[]
  /** Tag names. */
  tags: string[]
  /** Discussions and pull requests. */
  discussions: number
  /** Address of its page. */
  url: string
  /** When it was made (ISO 8601). */
  createdAt: string
  /** When it last changed (ISO 8601). */
  updatedAt: string
}

export interface RepoList {
  items: RepoItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface RepoQuery {
  /** Kind of repository. */
  type?: 'model' | 'dataset' | 'space'
  /** Part of the name. */
  search?: string
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

export interface UpdateRepoRequest {
  /** namespace/name. */
  name?: string
  /** Who can read it. */
  private?: boolean
  /** Whether readers must ask for access, and who answers. */
  gated?: false | 'auto' | 'manual'
  /** Path to text; written in one commit. */
  files?: Record<string, string>
  /** Answers to requests for a gated repository. */
  access?: readonly {
    /** Username. */
    user: string
    /** Answer to the request. */
    status: 'pending' | 'accepted' | 'rejected'
  }[]
  /** Who does it; default: the owner or an admin of it. */
  user?: string
}

/** The requests of one sign-in. */
export interface FlowItem {
  /** Sign-in. */
  id: string
  /** How the app gets its token. */
  kind:
    | 'authorization-code'
    | 'device-code'
    | 'token-exchange'
    | 'refresh'
    | 'registration'
    | 'metadata-document'
  /** An OAuth app. */
  app?: AppRef
  /** A user. */
  user?: UserRef
  /** First request (ISO 8601). */
  startedAt: string
  /** Last request (ISO 8601). */
  lastAt: string
  /** Where it stands. */
  outcome: 'pending' | 'completed' | 'refused'
  /** What happened, or what is missing, in a sentence. */
  explanation: string
  /** Refused because the user denied it, and the app was told. */
  denied?: UserDenial
  /** All of them; the list has the first and the latest. */
  requestCount: number
  /** Oldest first, at most 100. */
  requests: RequestItem[]
}

export interface FlowList {
  items: FlowItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
  /** How much the log still has; the oldest requests are dropped first. */
  kept: {
    /** Requests that the log still has. */
    requests: number
    /** Requests received since the start or the last reset. */
    received: number
    /** When the oldest request that is kept was received (ISO 8601). */
    since?: string
  }
}

export interface Har {
  log: {
    /** 1.2. */
    version: string
    creator: {
      name: string
      version: string
    }
    entries: {
      startedDateTime: string
      /** Milliseconds. */
      time: number
      request: {
        method: string
        url: string
        httpVersion: string
        cookies: {
          name: string
          value: string
        }[]
        headers: {
          name: string
          value: string
        }[]
        queryString: {
          name: string
          value: string
        }[]
        postData?: {
          mimeType: string
          text: string
        }
        headersSize: number
        bodySize: number
      }
      response: {
        status: number
        statusText: string
        httpVersion: string
        cookies: {
          name: string
          value: string
        }[]
        headers: {
          name: string
          value: string
        }[]
        content: {
          size: number
          mimeType: string
          text?: string
        }
        redirectURL: string
        headersSize: number
        bodySize: number
      }
      cache: {}
      timings: {
        send: number
        wait: number
        receive: number
      }
      /** Why it was refused. */
      comment?: string
    }[]
  }
}

/** A request and its answer. */
export interface RequestDetail {
  /** Request. */
  id: string
  /** When it came, on the sandbox clock (ISO 8601). */
  at: string
  /** When its answer had gone, on the same clock (ISO 8601). */
  endedAt: string
  /** HTTP method. */
  method: string
  /** Path and query; secrets are masked. */
  path: string
  /** HTTP status; 0 = the connection was cut. */
  status: number
  /** In real time. */
  durationMs: number
  /** An OAuth app. */
  app?: AppRef
  /** A user. */
  user?: UserRef
  /** `grant_type` of a token request. */
  grantType?: string
  /** Error code of the answer. */
  error?: string
  /** Why it was refused: what the answer said, and what is for the developer alone and never on the wire; or what of it was passed over. */
  detail?: string
  /** Fault rule that changed the answer. */
  faultId?: string
  /** Sign-in it belongs to. */
  flowId?: string
  request: {
    /** Pairs of name and value. */
    headers: [string, string][]
    /** At most 16 KiB; tokens and secrets are masked. */
    body?: string
    /** Bytes of the body, kept or not. */
    size: number
    /** Whether there was more. */
    truncated: boolean
  }
  response: {
    /** Pairs of name and value. */
    headers: [string, string][]
    /** At most 16 KiB; tokens and secrets are masked. */
    body?: string
    /** Bytes of the body, kept or not. */
    size: number
    /** Whether there was more. */
    truncated: boolean
  }
}

/** A request. */
export interface RequestItem {
  /** Request. */
  id: string
  /** When it came, on the sandbox clock (ISO 8601). */
  at: string
  /** When its answer had gone, on the same clock (ISO 8601). */
  endedAt: string
  /** HTTP method. */
  method: string
  /** Path and query; secrets are masked. */
  path: string
  /** HTTP status; 0 = the connection was cut. */
  status: number
  /** In real time. */
  durationMs: number
  /** An OAuth app. */
  app?: AppRef
  /** A user. */
  user?: UserRef
  /** `grant_type` of a token request. */
  grantType?: string
  /** Error code of the answer. */
  error?: string
  /** Why it was refused: what the answer said, and what is for the developer alone and never on the wire; or what of it was passed over. */
  detail?: string
  /** Fault rule that changed the answer. */
  faultId?: string
  /** Sign-in it belongs to. */
  flowId?: string
}

export interface RequestList {
  items: RequestItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
  /** How much the log still has; the oldest requests are dropped first. */
  kept: {
    /** Requests that the log still has. */
    requests: number
    /** Requests received since the start or the last reset. */
    received: number
    /** When the oldest request that is kept was received (ISO 8601). */
    since?: string
  }
}

export interface RequestQuery {
  /** Only of this app. */
  clientId?: string
  /** Only of this user. */
  user?: string
  /** Only where the path contains this. */
  path?: string
  /** Only with this method. */
  method?: string
  /** `404`, or `4xx`. */
  status?: string
  /** Only with an error. */
  refused?: '1'
  /** Only of this sign-in. */
  flowId?: string
  /** Only to this path; `*` stands for anything: `/oauth/*`. */
  route?: string
  /** Only with this in method, address, error or its reason. */
  text?: string
  /** Only what came from then on, on the sandbox clock (ISO 8601). */
  since?: string
  /** All of these in one line, as the dashboard has it: `status:4xx user:alice last 5m /oauth`; `-` before a word turns it round. */
  filter?: string
  /** Answers NDJSON that goes on: a line for each request. */
  follow?: '1'
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

/** Refused because the user denied it, and the app was told. */
export type UserDenial = true

export interface CreateLinkRequest {
  /** Address on this machine that calls are passed to; absent: a sample receiver. */
  target?: string
  /** A receiver that may be stopped after 48 h without a call. */
  hosted?: boolean
}

export interface CreateSnapshotRequest {
  /** Name of the snapshot. */
  name?: string
  /** A fixtures file to import instead of the present state. */
  fixtures?: unknown
}

export interface CreatedSnapshot {
  /** Name of the snapshot. */
  name: string
  /** What one might not expect of this snapshot. */
  notices?: string[]
}

export interface ExportQuery {
  /** 1: with what the run left behind. */
  log?: '0' | '1'
  /** Program that was run, to be told in the log. */
  command?: string
  /** How it ended, to be told in the log. */
  exitCode?: number
}

export interface KeyItem {
  /** Key id. */
  kid: string
  /** Signs, or is published for verification only. */
  state: 'current' | 'retired'
  /** Public members. */
  jwk: Record<string, unknown>
}

export interface KeyList {
  items: KeyItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface LinkItem {
  /** Link. */
  id: string
  /** Address to register as a webhook. */
  url: string
  /** Where calls are passed to; absent: it answers 200 itself. */
  target?: string
  /** Whether it is a hosted receiver. */
  hosted: boolean
  /** When it ends, on the sandbox clock (ISO 8601). */
  expiresAt: string
  /** Why it is paused; absent: it listens. */
  problem?: string
}

export interface LinkList {
  items: LinkItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

/** What is gone with the state. */
export interface ReplacedState {
  /** Requests that the log had, and that are gone with the state they were made in. */
  erasedRequests: number
}

export interface ResumedRun {
  /** False when the sandbox went on by itself already. */
  resumed: boolean
}

export interface RotateKeyRequest {
  /** Whether old keys stay published. */
  keepOld?: boolean
}

export interface RotatedKey {
  /** Id of the new key. */
  kid: string
}

export interface SnapshotItem {
  /** Name of the snapshot. */
  name: string
  /** When it was kept, in real time (ISO 8601). */
  createdAt: string
  /** Bytes. */
  size: number
}

export interface SnapshotList {
  items: SnapshotItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface Stopping {
  /** What it does from now on. */
  status: 'stopping'
  /** Process that the sandbox runs in. */
  pid: number
}

/** Parameters of the authorization request, a list for one that comes several times, and the user’s answer. */
export interface AuthorizeRequest {
  /** Who signs in. */
  user: string
  /** Default: approve. */
  decision?: 'approve' | 'deny'
  /** Organizations ticked at consent, by name; default: those asked for and those allowed before. */
  organizations?: readonly string[]
  [name: string]: string | boolean | number | readonly string[] | undefined
}

export interface AuthorizeResult {
  /** Where the browser would be sent: code or error. */
  redirectTo: string
}

export interface DecideDeviceRequest {
  /** Who decides. */
  user: string
  /** What the user says. */
  decision: 'approve' | 'deny'
  /** Organizations ticked at consent, by name. */
  organizations?: readonly string[]
}

export interface DecidedDevice {
  /** What the device will learn. */
  status: 'approved' | 'denied'
}

export interface DeviceItem {
  /** What the user types (RFC 8628 §6.1). */
  userCode: string
  /** An OAuth app. */
  app: AppRef
  /** Scopes asked for. */
  scopes: string[]
  /** Approved until the device has fetched its token, then consumed. */
  status: 'pending' | 'approved' | 'denied' | 'consumed' | 'expired'
  /** A user. */
  user?: UserRef
  /** Organizations ticked by the user. */
  organizations: OrganizationRef[]
  /** When the device asked (ISO 8601). */
  createdAt: string
  /** When the code ends (ISO 8601). */
  expiresAt: string
  /** Sign-in it belongs to, while the log has its first request. */
  flowId?: string
}

export interface DeviceList {
  items: DeviceItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface SessionItem {
  /** Value of the cookie. */
  id: string
  /** A user. */
  user: UserRef
  /** When the user signed in (ISO 8601). */
  createdAt: string
  /** When it ends (ISO 8601). */
  expiresAt: string
}

export interface SessionList {
  items: SessionItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface StartSessionRequest {
  /** Username. */
  user: string
}

export interface StartedSession {
  /** Name of the cookie, with the port of the sandbox: `hub_sandbox_session_7420`. */
  name: string
  /** Value of the cookie. */
  value: string
  /** When the session ends (ISO 8601). */
  expiresAt: string
}

export interface MintTokenRequest {
  /** Username. */
  user: string
  /** App it is for; default: the first public app. */
  clientId?: string
  /** Scopes, space-separated; default: those of the app. */
  scope?: string
  /** Organizations ticked, by name. */
  organizations?: readonly string[]
  /** Seconds; default: the life of the app’s tokens. */
  expiresIn?: number
  /** Makes a user access token instead of a token of an app. */
  role?: 'read' | 'write' | 'fineGrained'
  /** Rights of a fine-grained token. */
  fineGrained?: {
    /** Permissions on users, organizations and repos. */
    scoped?: readonly {
      /** What the permissions concern. */
      entity: {
        /** Kind of what it concerns. */
        type: 'user' | 'org' | 'model' | 'dataset' | 'space' | 'collection'
        /** User, organization or namespace/name of the repo. */
        name: string
      }
      /** Permissions in the hub’s words, such as repo.content.read. */
      permissions: readonly string[]
    }[]
    /** Permissions on the whole account, such as discussion.write. */
    global?: readonly string[]
    /** Whether it reads gated repos. */
    canReadGatedRepos?: boolean
  }
  /** Name of the user access token. */
  name?: string
}

export interface MintedToken {
  /** The token. */
  access_token: string
  /** `bearer`. */
  token_type: string
  /** Seconds. */
  expires_in?: number
  /** Granted scopes, space-separated. */
  scope?: string
  /** For the refresh_token grant. */
  refresh_token?: string
  /** ID token, with the scope openid. */
  id_token?: string
  /** Scopes that are unknown and left out, or not in the settings of the app. */
  notices?: string[]
}

/** What happened to an access token, as far as the log goes back. */
export interface TokenHistory {
  /** Absent when the log no longer has it, or it was minted or loaded. */
  issuedBy?: {
    /** Request whose answer it came in. */
    requestId: string
    /** Sign-in it belongs to. */
    flowId?: string
  }
  /** Another access token. */
  refreshedFrom?: {
    /** Token. */
    id: string
    /** Enough of it to tell it from others. */
    preview: string
    /** When it was issued (ISO 8601). */
    createdAt: string
    /** Whether it is accepted now. */
    state: 'active' | 'expired' | 'revoked'
  }
  /** Another access token. */
  refreshedInto?: {
    /** Token. */
    id: string
    /** Enough of it to tell it from others. */
    preview: string
    /** When it was issued (ISO 8601). */
    createdAt: string
    /** Whether it is accepted now. */
    state: 'active' | 'expired' | 'revoked'
  }
  /** What became of the refresh token that came with it. */
  refreshToken: 'none' | 'unused' | 'used' | 'revoked'
  idToken?: {
    /** `id_token`, `access_token`, …: the member it stood in. */
    name: string
    /** Masked where it is secret and was not asked for. */
    value: string
    /** Ask for it by `reveal=NAME`. */
    secret?: true
    /** Access token that the sandbox knows. */
    tokenId?: string
    /** No JWT: nothing stands in it. */
    opaque?: true
    header?: {
      name: string
      /** As JSON; masked where it is secret and was not asked for. */
      value: string
      /** Ask for it by `reveal=NAME`. */
      secret?: true
      /** In a sentence, with its source. */
      meaning?: string
      /** Of a claim that is a time (ISO 8601). */
      time?: string
    }[]
    claims?: {
      name: string
      /** As JSON; masked where it is secret and was not asked for. */
      value: string
      /** Ask for it by `reveal=NAME`. */
      secret?: true
      /** In a sentence, with its source. */
      meaning?: string
      /** Of a claim that is a time (ISO 8601). */
      time?: string
    }[]
    signature?: {
      valid: boolean
      /** Which key was used, or why it does not hold. */
      explanation: string
    }
    atHash?: {
      /** Of the claim. */
      claimed: string
      /** Of the access token that came with it. */
      computed: string
      equal: boolean
    }
  }
  /** Requests of the log that were made with it. */
  uses: number
  /** At most 50 of them, newest first. */
  latestUses: RequestItem[]
}

/** An access token. */
export interface TokenItem {
  /** 24 hex digits. */
  id: string
  /** Issued to an app, or a user access token made by hand. */
  kind: 'oauth' | 'user'
  /** The whole token; it is a fake, so it may be shown. */
  token: string
  /** Enough of it to tell it from others. */
  preview: string
  /** A user. */
  user: UserRef
  /** An OAuth app. */
  app?: AppRef
  /** Name of a user access token. */
  name?: string
  /** Role of a user access token. */
  role?: 'read' | 'write' | 'fineGrained'
  /** Granted scopes. */
  scopes: string[]
  /** Servers that the client named as the target of the token (RFC 8707). */
  resources?: string[]
  /** Organizations ticked at consent. */
  organizations: OrganizationRef[]
  /** An organization. */
  boundOrganization?: OrganizationRef
  /** How it came about. */
  grant: 'authorization_code' | 'device_code' | 'refresh_token' | 'token_exchange' | 'minted'
  /** When it was issued (ISO 8601). */
  createdAt: string
  /** When it ends; absent when it does not (ISO 8601). */
  expiresAt?: string
  /** When it was revoked (ISO 8601). */
  revokedAt?: string
  /** Why it was revoked. */
  revokedBecause?: string
  /** Whether it is accepted now. */
  state: 'active' | 'expired' | 'revoked'
}

export interface TokenList {
  items: TokenItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

export interface TokenQuery {
  /** Username. */
  user?: string
  /** App it was issued to. */
  clientId?: string
  /** Whether it is accepted now. */
  state?: 'active' | 'expired' | 'revoked'
  /** `nextCursor` of the page before. */
  cursor?: string
  /** Items of a page. */
  limit?: number
}

/** What whoever has the token may do with it, by the rules that answer requests. */
export interface TokenRights {
  /** Why it is refused everywhere by now; the rest is what it was. */
  refused?: string
  scopes: {
    /** Granted scope. */
    scope: string
    /** What the consent page says of it. */
    allows?: string
  }[]
  /** The user, then their organizations, of which at most 50. */
  owners: {
    /** Whose things. */
    kind: 'user' | 'organization'
    /** Name of the user or organization. */
    name: string
    /** Of the user in the organization. */
    role?: 'no_access' | 'read' | 'contributor' | 'write' | 'admin'
  }[]
  /** Further organizations. */
  ownersLeftOut: number
  rows: {
    /** What one does, in plain words. */
    what: string
    /** The least scopes that a token of an app needs for it; none = no scope opens it. */
    scopes: string[]
    /** Owners who have no such things are left out. */
    cells: {
      /** Name of one of the owners. */
      owner: string
      allowed: boolean
      /** Why not. */
      because?: string
    }[]
  }[]
}

/** A flow that the sandbox plays the app in. */
export interface TryItem {
  /** 24 hex digits. */
  id: string
  /** What is played. */
  kind: 'sign-in' | 'device' | 'exchange' | 'refused'
  /** What goes wrong in it. */
  variant?: 'redirect-uri' | 'scope' | 'secret' | 'pkce' | 'used-code' | 'denied' | 'not-a-member'
  /** Whether each step is asked for. */
  pace: 'steps' | 'at-once'
  /** Who answers for the user. */
  answeredBy: 'sandbox' | 'person'
  /** An OAuth app. */
  app: AppRef
  /** Username of who signs in. */
  user?: string
  /** The sign-in it is; absent before its first request. */
  flowId?: string
  /** Names of the steps so far, in order. */
  played: string[]
  /** The step that comes next; absent when it is done. */
  next?: {
    /** In the words of the field: `token request`. */
    name: string
    /** What will happen, in a sentence. */
    explanation: string
    /** Where a person can do it in a browser instead. */
    url?: string
  }
  /** What is waited for now, in a sentence; nothing can be asked. */
  waiting?: string
  /** While a device waits for its user. */
  device?: {
    /** What the user types (RFC 8628 §6.1). */
    userCode: string
    /** Where. */
    verificationUri: string
    /** With the code in it, where configured. */
    verificationUriComplete?: string
    /** When the code ends (ISO 8601). */
    expiresAt: string
    /** Why another device cannot open the address. */
    unreachable?: string
  }
  /** Whether it has ended. */
  done: boolean
  /** How it ended. */
  outcome?: 'completed' | 'refused' | 'failed'
  /** How it ended, in a sentence. */
  explanation?: string
  /** What keeps it from being refused, in a sentence. */
  mend?: string
  /** When it is given up, in real time (ISO 8601). */
  endsAt: string
}

export interface TryList {
  /** Newest first. */
  items: TryItem[]
}

export interface TryRequest {
  /** What is played. */
  kind: 'sign-in' | 'device' | 'exchange' | 'refused'
  /** What goes wrong in a refused one; default: redirect-uri. */
  variant?: 'redirect-uri' | 'scope' | 'secret' | 'pkce' | 'used-code' | 'denied' | 'not-a-member'
  /** Who signs in; default: the first who can. */
  user?: string
  /** Client id of the app; default: the first that fits. */
  app?: string
  /** Default: at-once. */
  pace?: 'steps' | 'at-once'
  /** Who answers for the user; default: the sandbox. */
  answeredBy?: 'sandbox' | 'person'
  /** What the sandbox answers for the user; default: approve. */
  decision?: 'approve' | 'deny'
}

export interface CreateWebhookRequest {
  /** Owner, by name. */
  user: string
  /** Shown in the sandbox only; the hub has no such name. */
  name?: string
  /** Address that receives the payload. */
  url?: string
  job?: WebhookJob
  /** Existing job to copy, but for its secrets. */
  jobId?: string
  /** Whose changes are delivered. */
  watched: readonly {
    /** Kind of what is watched. */
    type: 'model' | 'dataset' | 'space' | 'user' | 'org' | 'bucket' | 'kernel'
    /** Account, or namespace/name of a repo. */
    name: string
  }[]
  /** Which families; default: both. */
  domains?: readonly ('repo' | 'discussion')[]
  /** X-Webhook-Secret, ASCII without spaces around it; base64 where deliveries are signed. */
  secret?: string
  /** Make it disabled. */
  disabled?: boolean
  /** Hold its deliveries. */
  held?: boolean
  /** How deliveries are started. */
  order?: 'parallel' | 'ordered' | 'shuffled'
  /** Take any certificate. */
  acceptSelfSigned?: boolean
  /** Certificates (PEM) trusted for it. */
  ca?: string
  /** It goes when nobody follows its deliveries (`deliveries?follow=1&webhookId=…`) any more, and after 10 s in which nobody has begun to. */
  temporary?: boolean
}

export interface RecoverRequest {
  /** Failed and cancelled deliveries made since then are sent again (ISO 8601). */
  since: string
}

export interface Recovered {
  /** Deliveries queued again. */
  deliveries: number
}

export interface UpdateWebhookRequest {
  name?: string | null
  /** Address that receives the payload. */
  url?: string
  job?: WebhookJob
  /** Existing job to copy, but for its secrets. */
  jobId?: string
  /** Whose changes are delivered. */
  watched?: readonly {
    /** Kind of what is watched. */
    type: 'model' | 'dataset' | 'space' | 'user' | 'org' | 'bucket' | 'kernel'
    /** Account, or namespace/name of a repo. */
    name: string
  }[]
  /** Which families; default: both. */
  domains?: readonly ('repo' | 'discussion')[]
  secret?: string | null
  /** Enabling lifts a suspension and clears its counter. */
  status?: 'enabled' | 'disabled'
  /** Hold deliveries, or release those held. */
  held?: boolean
  /** How deliveries are started. */
  order?: 'parallel' | 'ordered' | 'shuffled'
  /** Take any certificate. */
  acceptSelfSigned?: boolean
  ca?: string | null
}

/** Whether its target takes deliveries now. */
export interface WebhookHealth {
  /** By its last attempt, replays aside; unknown: none since it was made or enabled. */
  state: 'unknown' | 'healthy' | 'failing'
  /** Failed in a row, retries included. */
  failedAttempts: number
  /** First failed attempt since the last success (ISO 8601). */
  failingSince?: string
  /** The last of the failed attempts. */
  lastError?: {
    /** When the attempt was started (ISO 8601). */
    at: string
    /** Delivery that it was for. */
    deliveryId: string
    /** HTTP status or exit code. */
    status?: number
    /** Kind of failure. */
    class:
      | 'dns_error'
      | 'connection_refused'
      | 'connection_reset'
      | 'network_unreachable'
      | 'connect_timeout'
      | 'timeout'
      | 'tls_error'
      | 'http_status'
      | 'redirect'
      | 'protocol_error'
      | 'blocked_target'
      | 'sender_fault'
      | 'aborted_by_shutdown'
      | 'job_failed'
    /** What happened, in a sentence. */
    message: string
  }
}

/** A webhook. */
export interface WebhookItem {
  /** 24 hex digits. */
  id: string
  /** Shown in the sandbox only; the hub has no such name. */
  name?: string
  /** A user. */
  owner: UserRef
  /** The address, or the job in a few words. */
  target: string
  /** Address that receives the payload. */
  url?: string
  job?: WebhookJob
  /** Job that the webhook copies. */
  jobSourceId?: string
  /** Whose changes are delivered. */
  watched: {
    /** Kind of what is watched. */
    type: 'model' | 'dataset' | 'space' | 'user' | 'org' | 'bucket' | 'kernel'
    /** Account, or namespace/name of a repo. */
    name: string
  }[]
  /** Which families; default: both. */
  domains: ('repo' | 'discussion')[]
  /** X-Webhook-Secret, ASCII without spaces around it; base64 where deliveries are signed. */
  secret?: string
  /** Whether it is called. */
  status: 'enabled' | 'disabled' | 'suspended-after-failure'
  /** When it was suspended (ISO 8601). */
  suspendedAt?: string
  /** Its last error then. */
  suspendedBecause?: string
  /** Failed deliveries since the last success. */
  consecutiveFailures: number
  /** When it was last called (ISO 8601). */
  lastTriggerAt?: string
  /** Deliveries are made and wait until released. */
  held: boolean
  /** How deliveries are started. */
  order: 'parallel' | 'ordered' | 'shuffled'
  /** Whether any certificate is good enough. */
  acceptSelfSigned: boolean
  /** Certificates (PEM) trusted for it. */
  ca?: string
  usage: WebhookUsage
  /** Why its deliveries cannot be sent as it stands. */
  problem?: string
  /** What it watches in vain at present, a sentence each. */
  warnings: string[]
  /** Whether its target takes deliveries now. */
  health: WebhookHealth
  /** How the deliveries in the log have fared. */
  deliveries: DeliveryStatistics
  /** When it was made (ISO 8601). */
  createdAt: string
}

export interface WebhookJob {
  /** Image; or `spaceId`. */
  dockerImage?: string
  /** Space; or `dockerImage`. */
  spaceId?: string
  command?: string[]
  arguments?: string[]
  /** Environment of the job. */
  environment?: Record<string, string>
  /** Secret environment of the job. */
  secrets?: Record<string, string>
  /** Hardware; default cpu-basic. */
  flavor?: string
  timeoutSeconds?: number | null
  /** Labels of the job. */
  labels?: Record<string, string>
}

export interface WebhookList {
  items: WebhookItem[]
  /** Pass as `cursor` for the next page; absent on the last. */
  nextCursor?: string
}

/** How a webhook has fared, of the deliveries that are kept. */
export interface WebhookStatistics {
  /** How the deliveries in the log have fared. */
  deliveries: DeliveryStatistics
  usage: WebhookUsage
  /** How long the receiver took, in real time. */
  latency: {
    /** Attempts that reached the receiver, replays included. */
    measured: number
    /** Attempts that did not, or ran as a job: their time is not told here. */
    notMeasured: number
    /** Half of them were as fast, by nearest rank. */
    p50Ms?: number
    /** 90 of 100 were as fast. */
    p90Ms?: number
    /** 99 of 100 were as fast. */
    p99Ms?: number
    /** The slowest. */
    maxMs?: number
    /** Always the same ones, each about twice the one before. */
    buckets: {
      /** This long, or longer. */
      fromMs: number
      /** And less than this; the last one has no end. */
      toMs?: number
      /** Attempts that succeeded. */
      succeeded: number
      /** Attempts that did not. */
      failed: number
    }[]
  }
  /** What attempts failed with, the most frequent first; 12 at most. */
  errors: {
    /** Kind of failure. */
    class:
      | 'dns_error'
      | 'connection_refused'
      | 'connection_reset'
      | 'network_unreachable'
      | 'connect_timeout'
      | 'timeout'
      | 'tls_error'
      | 'http_status'
      | 'redirect'
      | 'protocol_error'
      | 'blocked_target'
      | 'sender_fault'
      | 'aborted_by_shutdown'
      | 'job_failed'
    /** HTTP status or exit code. */
    status?: number
    /** Attempts. */
    count: number
    /** When the newest of them was started (ISO 8601). */
    lastAt: string
    /** Delivery that it was for. */
    lastDeliveryId: string
  }[]
  /** Failed attempts that are in none of them. */
  otherErrors: number
  /** Deliveries by when they were made, from the oldest to now. */
  overTime: {
    /** Length of each span; 0 when there is none. */
    spanMs: number
    /** 48 at most. */
    spans: {
      /** Its start; it ends with the start of the next, the last one now (ISO 8601). */
      from: string
      /** Deliveries that were received. */
      succeeded: number
      /** Given up, or failing so far. */
      failed: number
      /** Not tried yet, or under way for the first time. */
      open: number
    }[]
  }
}

export interface WebhookStatisticsQuery {
  /** Only of deliveries that were made at or after this time (ISO 8601). */
  since?: string
}

export interface WebhookUsage {
  /** Triggered deliveries in the window. */
  used: number
  limit: number | null
  /** Length of the sliding window. */
  windowMs: number
}

export interface TokenResponse {
  /** Bearer token. */
  access_token: string
  /** RFC 6750. */
  token_type: 'bearer'
  /** Seconds. */
  expires_in: number
  /** Scope names, separated by spaces (RFC 6749 §3.3). */
  scope: string
  /** Not from a token exchange. */
  refresh_token?: string
  /** JWT, with the scope openid. */
  id_token?: string
  /** token-exchange. */
  issued_token_type?: 'urn:ietf:params:oauth:token-type:access_token'
}
