// Generated from the flags by `npm run docs`. It exists because the package's public types must
// not need typebox.
import type { FixturesFile } from './fixtures-types.ts'

/** How deliveries are retried and signed. */
export type DeliveryProfile = 'hub' | 'hub-2026-08' | 'ci' | 'standard-webhooks'

/** What is logged to stderr. */
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * How to start a sandbox: the flags of the command line in camelCase. Everything may be left out;
 * what is not given here is taken from the `config` section of the fixtures.
 */
export interface SandboxOptions {
  /** Port; 0 = any free one. Default: 0 (on the command line 7420). */
  port?: number
  /** Address to listen on; one or several. Default: loopback, IPv4 and IPv6. */
  host?: string | readonly string[]
  /** Issuer and root of the absolute URLs in sign-in and payloads. Default: http://localhost:PORT. */
  baseUrl?: string
  /** Second address, for apps that reach it by another name than browsers do. Asked under it, the metadata gives what programs call under it; the issuer stays. */
  backChannelUrl?: string
  /** Origin of the real hub that it stands in for; one or several. The first is the issuer, all are answered, and nothing under /_sandbox is served by their names. Default: none. */
  intercept?: string | readonly string[]
  /** Serve with a self-signed certificate. */
  https?: boolean
  /** Fixtures file, or name of a bundled one. May be what such a file holds. Default: the default fixtures (on the command line hub-sandbox.json or .yaml here, else the default fixtures). */
  fixtures?: string | FixturesFile
  /** Start of the sandbox clock, whatever the fixtures are; it overrides their `clock`. Default: real time, or what the fixtures say. */
  clock?: { now?: Date | string; frozen?: boolean }
  /** Where state lives. Default: in memory (on the command line the data folder of the user). */
  data?: string
  /** Keep the state in memory only. Default: true unless `data` is given (on the command line false). */
  ephemeral?: boolean
  /** Forget the stored state and load the fixtures again. */
  reset?: boolean
  /** Consent and device approval without a page: true or a username; `true` = by the first user. */
  autoApprove?: boolean | string
  /** How deliveries are retried and signed. Default: hub. */
  deliveryProfile?: DeliveryProfile
  /** Enforce the hub’s request limits. Without it the headers are sent and nothing is refused. */
  rateLimits?: boolean
  /** None of the hub’s leniencies towards clients. What the RFCs ask is asked. */
  strict?: boolean
  /** Ids, codes, tokens and keys follow from it. Nothing in such a sandbox is secret. */
  seed?: number
  /** Further Host name that is answered; one or several. */
  allowHost?: string | readonly string[]
  /** Further web origin that is answered, of any scheme, such as capacitor://localhost; one or several. */
  allowOrigin?: string | readonly string[]
  /** Let outgoing requests go to public addresses. */
  allowNetwork?: boolean
  /** Run this command for jobs of this image or Space, * = any; also as texts `IMAGE=COMMAND`. */
  runJobs?: Readonly<Record<string, string>> | string | readonly string[]
  /** Name that a job may set as a variable of its process; one or several. Default: none, all are in JOB_ENVIRONMENT and JOB_SECRETS. */
  runJobsEnv?: string | readonly string[]
  /** Ask for a token under /_sandbox/; `true` = a random one. Beyond loopback one is always asked for. */
  controlToken?: boolean | string
  /** What is logged to stderr. Default: silent (on the command line warn). */
  logLevel?: LogLevel
  /** Open the dashboard after the start. The command line does this. */
  open?: boolean
  /** Print the addresses as one line of JSON. The command line does this. */
  json?: boolean
}
