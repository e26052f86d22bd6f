// Generated from the flags by `npm run docs`. It exists because the package's public types must
// not need typebox.
import type { FixturesFile } from './fixtures-types.ts'

/** Retry and signature rules of deliveries. */
export type DeliveryProfile = 'hub' | 'hub-2026-08' | 'ci' | 'standard-webhooks'

/** Log level on stderr. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * How to start a sandbox: the flags of the command line in camelCase. Everything may be left out;
 * what is not given here is taken from the `config` section of the fixtures.
 */
export interface SandboxOptions {
  /** Port to listen on; 0 = any free port. Default: 0 (on the command line 7420). */
  port?: number
  /** Address to listen on; one or several. Default: loopback, IPv4 and IPv6. */
  host?: string | readonly string[]
  /** Issuer and root of absolute URLs in sign-in and payloads. Default: http://localhost:PORT. */
  baseUrl?: string
  /** Second base URL, for apps that use another host name than browsers. Metadata requested through it has the endpoints for programs under it; the issuer is unchanged. */
  backChannelUrl?: string
  /** Origin of the real hub to stand in for; one or several. The first is the issuer. All are accepted as Host, but not for paths under /_sandbox. Default: none. */
  intercept?: string | readonly string[]
  /** Serve with a self-signed certificate. */
  https?: boolean
  /** Fixtures file, or name of a bundled one. May be what such a file holds. Default: the default fixtures (on the command line hub-sandbox.json or .yaml here, else the default fixtures). */
  fixtures?: string | FixturesFile
  /** Start of the sandbox clock, whatever the fixtures are; it overrides their `clock`. Default: real time, or what the fixtures say. */
  clock?: { now?: Date | string; frozen?: boolean }
  /** Folder for the state. Default: in memory (on the command line the data folder of the user). */
  data?: string
  /** Keep the state in memory only. Default: true unless `data` is given (on the command line false). */
  ephemeral?: boolean
  /** Delete the stored state and load the fixtures again. */
  reset?: boolean
  /** Approve consent and devices without a page: true or a username; `true` = as the first user. */
  autoApprove?: boolean | string
  /** Retry and signature rules of deliveries. Default: hub. */
  deliveryProfile?: DeliveryProfile
  /** Enforce the request limits of the hub. Otherwise only the headers are sent. */
  rateLimits?: boolean
  /** Disable the leniencies of the hub towards clients. */
  strict?: boolean
  /** Seed of ids, codes, tokens and keys. Nothing in such a sandbox is secret. */
  seed?: number
  /** Further Host name to accept; one or several. */
  allowHost?: string | readonly string[]
  /** Further web origin to accept, of any scheme, such as capacitor://localhost; one or several. */
  allowOrigin?: string | readonly string[]
  /** Allow outgoing requests to public addresses. */
  allowNetwork?: boolean
  /** Command to run for jobs of this image or Space; * = any; also as texts `IMAGE=COMMAND`. */
  runJobs?: Readonly<Record<string, string>> | string | readonly string[]
  /** Name that a job may set as an environment variable; one or several. Default: none; JOB_ENVIRONMENT and JOB_SECRETS hold all of them. */
  runJobsEnv?: string | readonly string[]
  /** Require a token under /_sandbox/; `true` = a random one. Always required beyond loopback. */
  controlToken?: boolean | string
  /** Log level on stderr. Default: silent (on the command line warn). */
  logLevel?: LogLevel
  /** Open the dashboard in the browser. Used by the command line only. */
  open?: boolean
  /** Print the URLs as one line of JSON. Used by the command line only. */
  json?: boolean
}
