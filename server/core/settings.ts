import type { SettingFlags } from '../contract/flags.ts'
import type { CapsConfig, LifetimesConfig } from '../contract/fixtures-types.ts'

/** `config.lifetimes` of the fixtures, in milliseconds. */
export type LifetimesMs = { readonly [K in keyof LifetimesConfig as `${K}Ms`]: number }

/** Settings of a sandbox, merged from file, environment and flags, checked and frozen. */
export interface Settings extends SettingFlags {
  readonly version: string
  /** Port that the sandbox listens on; it may be reached by another one. */
  readonly port: number
  /** Issuer and root of every absolute URL, without a trailing slash. */
  readonly baseUrl: string
  /** Base URL for apps that cannot use the main one, without a trailing slash; never the issuer. */
  readonly backChannelUrl?: string
  /** Origins of the real hub whose requests are rerouted to the sandbox; absent = none. */
  readonly interceptedOrigins?: readonly string[]
  /** Whether a delivery is held when its webhook triggers itself. */
  readonly loopDetection: boolean
  readonly lifetimes: LifetimesMs
  readonly device: {
    /** Sent as `interval` if set; otherwise polls are checked against 5 s (RFC 8628 §3.5). */
    readonly intervalSeconds?: number
    readonly verificationUriComplete: boolean
  }
  readonly caps: CapsConfig
  /** User that gives consent and approves devices without a page; `true` = the first user. */
  readonly autoApprove?: string | true
  /** Further accepted `Host` names and web origins. */
  readonly allowHosts: readonly string[]
  readonly allowOrigins: readonly string[]
  /** Whether a `Host` that is an IP address is accepted: only when listening beyond loopback. */
  readonly allowAddressHosts: boolean
  /** Commands for jobs, by image or Space (`*` = any). */
  readonly runJobs: ReadonlyMap<string, string>
  /** Names from the environment and secrets of a job that may become variables of its process. */
  readonly runJobsEnv: readonly string[]
  /** Required for everything under `/_sandbox/` if set. */
  readonly controlToken?: string
}
