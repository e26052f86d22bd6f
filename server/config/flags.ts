import { deliveryProfiles, logLevels } from '../contract/fixtures/config.ts'
import type { SandboxOptions } from './options.ts'

/** How the value of a flag is written. */
export type FlagKind =
  | { kind: 'boolean' }
  | { kind: 'text' }
  | { kind: 'integer'; minimum?: number; maximum?: number }
  | { kind: 'choice'; values: readonly string[] }
  /** Repeatable; lists with commas in the environment. */
  | { kind: 'list' }
  /** Repeatable NAME=VALUE. */
  | { kind: 'pairs' }
  /** With or without a value: `--auto-approve`, `--auto-approve=bob`. */
  | { kind: 'boolean-or-text' }

export interface Flag {
  key: keyof SandboxOptions
  /** What the help calls its value. */
  placeholder?: string
  description: string
  /** What it does that a fixtures file, which may be a stranger's, must not do. */
  neverFromFile?: 'decides what others may reach' | 'has what is stored forgotten'
  type: FlagKind
}

/** Every flag of `start`; the order is that of the help and the documentation. */
export const flags: readonly Flag[] = [
  {
    key: 'port',
    placeholder: 'port',
    description: 'port to listen on; 0 = any free one (default 7420)',
    type: { kind: 'integer', minimum: 0, maximum: 65_535 },
  },
  {
    key: 'host',
    placeholder: 'address',
    description: 'address to listen on; repeatable (default: loopback, IPv4 and IPv6)',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'list' },
  },
  {
    key: 'baseUrl',
    placeholder: 'url',
    description: 'issuer and root of every absolute URL (default http://localhost:PORT)',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'text' },
  },
  {
    key: 'https',
    description: 'serve with a self-signed certificate of its own',
    type: { kind: 'boolean' },
  },
  {
    key: 'fixtures',
    placeholder: 'file',
    description:
      'fixtures file, or name of a bundled one (default: hub-sandbox.json or .yaml here, else the default fixtures)',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'text' },
  },
  {
    key: 'data',
    placeholder: 'folder',
    description: 'where state lives (default: the data folder of the user)',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'text' },
  },
  { key: 'ephemeral', description: 'keep state in memory only', type: { kind: 'boolean' } },
  {
    key: 'reset',
    description: 'forget the stored state and load the fixtures again',
    neverFromFile: 'has what is stored forgotten',
    type: { kind: 'boolean' },
  },
  {
    key: 'autoApprove',
    placeholder: 'user',
    description: 'consent and device approval without a page (default: by the first user)',
    type: { kind: 'boolean-or-text' },
  },
  {
    key: 'deliveryProfile',
    placeholder: 'name',
    description: `how deliveries are retried and signed: ${deliveryProfiles.join(', ')}`,
    type: { kind: 'choice', values: deliveryProfiles },
  },
  {
    key: 'rateLimits',
    description: 'enforce the request limits of the hub',
    type: { kind: 'boolean' },
  },
  {
    key: 'strict',
    description:
      'none of the hub’s leniencies: response_type required, unknown scopes refused, iss in the answer, scopes and claims in the metadata, a code burnt by a wrong verifier',
    type: { kind: 'boolean' },
  },
  {
    key: 'seed',
    placeholder: 'number',
    description: 'ids, codes, tokens and the signing key follow from it',
    type: { kind: 'integer' },
  },
  {
    key: 'allowHost',
    placeholder: 'name',
    description: 'further Host name that is answered; repeatable',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'list' },
  },
  {
    key: 'allowOrigin',
    placeholder: 'origin',
    description: 'further web origin that is answered; repeatable',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'list' },
  },
  {
    key: 'allowNetwork',
    description: 'let outgoing requests go to public addresses',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'boolean' },
  },
  {
    key: 'runJobs',
    placeholder: 'image=command',
    description: 'run this command for jobs of this image or Space, * = any; repeatable',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'pairs' },
  },
  {
    key: 'runJobsEnv',
    placeholder: 'name',
    description:
      'name that a job may set as a variable of its process; repeatable (default: none, all are in JOB_ENVIRONMENT and JOB_SECRETS)',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'list' },
  },
  {
    key: 'controlToken',
    placeholder: 'token',
    description: 'ask for a token under /_sandbox/ (default: a random one)',
    neverFromFile: 'decides what others may reach',
    type: { kind: 'boolean-or-text' },
  },
  {
    key: 'logLevel',
    placeholder: 'level',
    description: `what is logged to stderr: ${logLevels.join(', ')} (default warn)`,
    type: { kind: 'choice', values: logLevels },
  },
  { key: 'open', description: 'open the dashboard in the browser', type: { kind: 'boolean' } },
  {
    key: 'json',
    description: 'print the addresses as one line of JSON on stdout, and nothing else there',
    type: { kind: 'boolean' },
  },
]

/** `autoApprove` → `--auto-approve` */
export function flagName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** `autoApprove` → `HUB_SANDBOX_AUTO_APPROVE` */
export function environmentName(key: string): string {
  return `HUB_SANDBOX_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
