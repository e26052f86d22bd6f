import type { SettingFlags } from '../contract/flags.ts'
import type { CapsConfig, LifetimesConfig } from '../contract/fixtures-types.ts'

/** `config.lifetimes` of the fixtures, in milliseconds. */
export type LifetimesMs = { readonly [K in keyof LifetimesConfig as `${K}Ms`]: number }

/** What a sandbox runs with, after file, environment and flags were merged and checked; frozen. */
export interface Settings extends SettingFlags {
  readonly version: string
  /** Port that the sandbox listens on, by whatever other port it is reached. */
  readonly port: number
  /** Issuer and root of every absolute URL, without a trailing slash. */
  readonly baseUrl: string
  /** Where apps reach it that cannot do so by the base URL, without a trailing slash; it names no issuer. */
  readonly backChannelUrl?: string
  /** Origins that programs know the hub by and whose requests are led here; absent = none. */
  readonly interceptedOrigins?: readonly string[]
  readonly lifetimes: LifetimesMs
  readonly device: {
    /** Sent as `interval` when set; polling is judged by 5 s otherwise (RFC 8628 §3.5). */
    readonly intervalSeconds?: number
    readonly verificationUriComplete: boolean
  }
  readonly caps: CapsConfig
  /** Consent and device approval without a page: by the user of this name, or (`true`) by the first there is. */
  readonly autoApprove?: string | true
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
