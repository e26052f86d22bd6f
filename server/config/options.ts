import type { Settings } from '../core/settings.ts'
import type { Fixtures, FixturesFile } from '../contract/fixtures-types.ts'

export type DeliveryProfile = 'hub' | 'hub-2026-08' | 'ci' | 'standard-webhooks'
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * How to start a sandbox: the flags of the command line in camelCase. Everything may be left out;
 * what is not given here is taken from the `config` section of the fixtures.
 */
export interface SandboxOptions {
  /** Port to listen on; 0 = any free one. Default: 0 (7420 on the command line). */
  port?: number
  /** Addresses to listen on. Default: 127.0.0.1 and, where the machine has it, ::1. */
  host?: string | readonly string[]
  /** Issuer and root of every absolute URL. Default: where it listens, `http://localhost:PORT` (`https` with `https`). */
  baseUrl?: string
  /** Serve with a self-signed certificate of the sandbox's own. */
  https?: boolean
  /** A fixtures file (JSON or YAML), the name of a bundled one, or its content. Default: the default fixtures. */
  fixtures?: string | FixturesFile
  /** Folder of the state. Default: none (on the command line the per-user data folder). */
  data?: string
  /** Keep the state in memory only. Default: true unless `data` is given (on the command line false). */
  ephemeral?: boolean
  /** Forget the stored state and load the fixtures again. */
  reset?: boolean
  /** Consent and device approval without a page; `true` = by the first user. */
  autoApprove?: boolean | string
  /** How deliveries are retried and signed. Default: `hub`. */
  deliveryProfile?: DeliveryProfile
  /** Enforce the hub's request limits; without it the headers are sent and nothing is refused. */
  rateLimits?: boolean
  /** None of the hub's leniencies towards clients; what the RFCs ask is asked. */
  strict?: boolean
  /** Ids, codes, tokens and the signing key follow from it: nothing in such a sandbox is secret. */
  seed?: number
  /** Further `Host` names that are answered. */
  allowHost?: string | readonly string[]
  /** Further web origins that are answered. */
  allowOrigin?: string | readonly string[]
  /** Let outgoing requests go to public addresses. */
  allowNetwork?: boolean
  /** Commands that run the jobs of an image or Space (`*` = any); also as `IMAGE=COMMAND` texts. */
  runJobs?: Readonly<Record<string, string>> | string | readonly string[]
  /** Names that the environment and the secrets of a job may set as variables of its process. Default: none. */
  runJobsEnv?: string | readonly string[]
  /** Ask for a token under `/_sandbox/`; `true` = a random one. Always asked for beyond loopback. */
  controlToken?: boolean | string
  /** Default: `silent` (`warn` on the command line). */
  logLevel?: LogLevel
  /** Open the dashboard in the browser after the start; the command line does this. */
  open?: boolean
  /** Print the addresses as one line of JSON; the command line does this. */
  json?: boolean
}

/** All that a start needs, after file, environment and flags were merged and checked; frozen. */
export interface ResolvedOptions {
  /** Complete but for the base URL, which may depend on the port. */
  readonly settings: Omit<Settings, 'baseUrl'>
  /** Absent: where it listens, once the port is known. */
  readonly baseUrl?: string
  readonly port: number
  /** Addresses or names to listen on. */
  readonly hosts: readonly string[]
  /** What an address of this machine's own that leads here has as its host. */
  readonly urlHost: string
  /** Whether `hosts` is the default; then `::1` is left out where the machine has none. */
  readonly hostsAreDefault: boolean
  readonly https: boolean
  /** Absent: state in memory only. */
  readonly dataDirectory?: string
  /** Where the certificate of `https` is kept, in memory-only sandboxes too. */
  readonly certificateDirectory: string
  readonly reset: boolean
  readonly fixtures: Fixtures
  /** For people: a path, or which fixtures else. */
  readonly fixturesSource: string
  /** SHA-256 (hex) of what was read, to notice that the file has changed since it was loaded. */
  readonly fixturesHash: string
  /** How the user calls a command for this sandbox. */
  readonly command: readonly string[]
  readonly open: boolean
  readonly json: boolean
  readonly logLevel: LogLevel
}
