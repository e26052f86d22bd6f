import type { SettingFlags } from '../contract/flags.ts'

/** What a sandbox runs with, after file, environment and flags were merged and checked; frozen. */
export interface Settings extends SettingFlags {
  readonly version: string
  /** Issuer and root of every absolute URL, without a trailing slash. */
  readonly baseUrl: string
  readonly lifetimes: {
    readonly codeMs: number
    readonly accessTokenMs: number
    readonly idTokenMs: number
    readonly deviceCodeMs: number
    readonly sessionMs: number
  }
  readonly device: {
    /** Sent as `interval` when set; polling is judged by 5 s otherwise (RFC 8628 §3.5). */
    readonly intervalSeconds?: number
    readonly verificationUriComplete: boolean
  }
  readonly caps: {
    readonly requests: number
    readonly deliveries: number
    readonly deliveryBytes: number
    readonly auditRows: number
    readonly consents: number
    readonly registrations: number
    readonly links: number
    readonly snapshots: number
  }
  /** Consent and device approval without a page, by this user. */
  readonly autoApprove?: string
  /** Further `Host` names and web origins that are answered. */
  readonly allowHosts: readonly string[]
  readonly allowOrigins: readonly string[]
  /** Whether a `Host` that is an IP address is answered: only when listening beyond loopback. */
  readonly allowAddressHosts: boolean
  /** Image or Space (`*` = any) to the command that runs its jobs. */
  readonly runJobs: ReadonlyMap<string, string>
  /** Names that the environment and the secrets of a job may set as variables of its process. */
  readonly runJobsEnv: readonly string[]
  /** Needed for everything under `/_sandbox/` when set. */
  readonly controlToken?: string
}

export const defaultLifetimes: Settings['lifetimes'] = {
  codeMs: 60_000,
  accessTokenMs: 8 * 3_600_000,
  idTokenMs: 3_600_000,
  deviceCodeMs: 5 * 60_000,
  sessionMs: 30 * 86_400_000,
}

export const defaultCaps: Settings['caps'] = {
  requests: 1000,
  deliveries: 20_000,
  deliveryBytes: 64 * 1024 * 1024,
  auditRows: 100_000,
  consents: 10_000,
  registrations: 1000,
  links: 100,
  snapshots: 100,
}
