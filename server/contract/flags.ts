import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { FixturesFile } from './fixtures-types.ts'
import { usualPort, usualUrl } from './usual-address.ts'
import { logLevels } from './words/sandbox-words.ts'
import { largeFileWays, storageHosts } from './words/hub-words.ts'
import { deliveryProfiles } from './words/webhook-words.ts'
import { integer, text } from './plain-fields.ts'

/** The two ways to start a sandbox: `hub-sandbox start` and `startSandbox`. */
export type Starter = 'commandLine' | 'inProcess'

/** The one definition of a flag of `start`: parser, help, documentation and types follow from it. */
export interface Flag {
  /** Type, limits, description and default of the parsed value. Optional if the flag may be absent. */
  readonly schema: TSchema & { readonly description?: string; readonly default?: unknown }
  /** Default of `startSandbox`, if it differs. */
  readonly inProcess?: unknown
  /** Default in words, for a default that is not a plain value. */
  readonly unsaid?: string | Readonly<Partial<Record<Starter, string>>>
  /** Meaning of `true`, for a flag that also accepts a string. */
  readonly bare?: string
  /** Longer description for the help and the documentation. */
  readonly help?: string
  /** Name of the value in the help. */
  readonly placeholder?: string
  /** Alternative value that only code can pass. */
  readonly inCode?: TSchema & { readonly title: string }
  /** Note for callers of `startSandbox`. */
  readonly remark?: string
  /** Reason why a fixtures file, which may come from a stranger, must not set it. */
  readonly neverFromFile?:
    | 'decides what others may reach'
    | 'deletes the stored state'
    | 'writes a file'
  /** Receiver of the unchanged value; other flags are processed first. */
  readonly handedTo?: 'start' | 'settings'
}

const onOff = (description: string) => Type.Boolean({ default: false, description })
const onOffOrText = (description: string) =>
  Type.Union([Type.Boolean(), Type.String()], { default: false, description })
const choice = <const T extends string>(values: readonly T[], value: T, description: string) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], default: value, description }))
const texts = (description: string) => Type.Array(Type.String(), { default: [], description })

const reach = { neverFromFile: 'decides what others may reach' } as const
const forCommands = { remark: 'Used by the command line only', handedTo: 'start' } as const

/** Every flag of `start`, by its name in code, in the order of the help and the documentation. */
export const flags = {
  port: {
    schema: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: usualPort,
      description: 'Port to listen on; 0 = any free port',
    }),
    inProcess: 0,
    placeholder: 'port',
    handedTo: 'start',
  },
  host: {
    schema: texts('Address to listen on'),
    unsaid: 'loopback, IPv4 and IPv6',
    placeholder: 'address',
    ...reach,
  },
  lan: {
    schema: onOff('Listen on the network address of this machine, for phones and other machines'),
    help: 'Listen on the network address of this machine too, for phones and other machines; requires the control token',
    ...reach,
  },
  baseUrl: {
    schema: Type.Optional(text('Issuer and root of absolute URLs in sign-in and payloads')),
    unsaid: usualUrl.replace(String(usualPort), 'PORT'),
    placeholder: 'url',
    ...reach,
  },
  backChannelUrl: {
    schema: Type.Optional(
      text('Second base URL, for apps that use another host name than browsers'),
    ),
    help: 'Second base URL, for apps (in containers) that use another host name than browsers. Metadata requested under it has the same issuer, but its own URLs of the token, JWKS, userinfo, registration and device endpoints',
    remark:
      'Metadata requested under it has the same issuer, but its own URLs of the endpoints for programs',
    placeholder: 'url',
    ...reach,
  },
  intercept: {
    schema: texts('Origin of the real Hub to emulate'),
    help: 'Origin of the real Hub to emulate, such as https://huggingface.co; the first is the issuer. "exec" and "node --import hub-sandbox/intercept" redirect requests of programs to the sandbox',
    remark: 'The first is the issuer. All are accepted as Host, but not for paths under /_sandbox',
    unsaid: 'none',
    placeholder: 'origin',
    ...reach,
  },
  https: {
    schema: onOff('Serve with a self-signed certificate'),
    handedTo: 'start',
  },
  fixtures: {
    schema: Type.Optional(text('Fixtures file, or name of a bundled one')),
    inCode: { ...Type.Unsafe<FixturesFile>({}), title: 'FixturesFile' },
    remark: 'May be what such a file holds',
    unsaid: {
      commandLine: 'hub-sandbox.json or .yaml here, else the default fixtures',
      inProcess: 'the default fixtures',
    },
    placeholder: 'file',
    ...reach,
  },
  data: {
    schema: Type.Optional(text('Folder for the state')),
    unsaid: {
      commandLine: 'one in the data folder of the user for each fixtures file',
      inProcess: 'in memory',
    },
    placeholder: 'folder',
    ...reach,
  },
  watch: {
    schema: onOff('Load the fixtures file again when it changes'),
    neverFromFile: 'deletes the stored state',
    ...forCommands,
  },
  ephemeral: {
    schema: onOff('Keep the state in memory only; the certificate of --https stays on disk'),
    inProcess: true,
    unsaid: { inProcess: 'true unless `data` is given (on the command line false)' },
  },
  reset: {
    schema: onOff('Delete the stored state and load the fixtures again'),
    neverFromFile: 'deletes the stored state',
    handedTo: 'start',
  },
  autoApprove: {
    schema: onOffOrText('Approve consent and devices without a page: true or a username'),
    help: 'Approve consent and devices without a page',
    bare: 'as the first user',
    placeholder: 'user',
  },
  deliveryProfile: {
    schema: choice(deliveryProfiles, 'hub', 'Retry and signature rules of deliveries'),
    placeholder: 'name',
    handedTo: 'settings',
  },
  loopDetection: {
    schema: Type.Optional(
      Type.Unsafe<'on' | 'off'>(
        Type.String({
          enum: ['on', 'off'],
          description: 'Hold the fourth delivery in a row of a webhook that triggers itself',
        }),
      ),
    ),
    unsaid: {
      commandLine: 'on, but off with --delivery-profile hub',
      inProcess: "on, but off with `deliveryProfile: 'hub'`",
    },
    placeholder: 'on-or-off',
  },
  rateLimits: {
    schema: onOff('Enforce the request limits of the Hub'),
    remark: 'Otherwise only the headers are sent',
    handedTo: 'settings',
  },
  strict: {
    schema: onOff('Be stricter than the Hub towards clients'),
    help: 'Be stricter than the Hub: require response_type, refuse unconfigured scopes, send iss in the authorization response, publish scopes and claims in the metadata, invalidate a code after a wrong code_verifier',
    handedTo: 'settings',
  },
  sendIss: {
    schema: onOff('Send iss in the authorization response (RFC 9207)'),
    remark: 'The Hub is not known to send it; --strict sends it, too',
    handedTo: 'settings',
  },
  requireResource: {
    schema: onOff('Require resource in sign-ins and bind tokens to it (RFC 8707)'),
    help: 'Require the parameter resource in authorization, device and token requests, and bind tokens to it (RFC 8707)',
    remark: 'The Hub only records it',
    handedTo: 'settings',
  },
  largeFiles: {
    schema: choice(largeFileWays, 'xet', 'How clients send large files'),
    help: 'How clients send large files: by Xet, as to the Hub, or by Git LFS alone',
    placeholder: 'way',
    handedTo: 'settings',
  },
  storageHost: {
    schema: choice(storageHosts, 'own', 'Host of the storage of large files'),
    help: 'Host of the storage of large files: its own, as there (127.0.0.1 for a client that uses localhost), or the same',
    placeholder: 'host',
    handedTo: 'settings',
  },
  seed: {
    schema: Type.Optional(integer('Seed of ids, codes, tokens and keys')),
    help: 'Derive ids, codes, tokens and the signing key from this number',
    remark: 'Nothing in such a sandbox is secret',
    placeholder: 'number',
    handedTo: 'settings',
  },
  allowHost: {
    schema: texts('Further Host name to accept'),
    placeholder: 'name',
    ...reach,
  },
  allowOrigin: {
    schema: texts('Further web origin to accept, of any scheme, such as capacitor://localhost'),
    placeholder: 'origin',
    ...reach,
  },
  allowNetwork: {
    schema: onOff('Allow outgoing requests to public addresses'),
    ...reach,
    handedTo: 'settings',
  },
  runJobs: {
    schema: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'Command to run for jobs of this image or Space; * = any',
    }),
    placeholder: 'image=command',
    ...reach,
  },
  runJobsEnv: {
    schema: texts('Environment variable that a job may set'),
    unsaid: 'none; a job finds all of its variables in JOB_ENVIRONMENT and JOB_SECRETS',
    placeholder: 'name',
    ...reach,
  },
  controlToken: {
    schema: onOffOrText('Require a token under /_sandbox/'),
    bare: 'a random one',
    remark: 'Always required beyond loopback',
    placeholder: 'token',
    ...reach,
  },
  logLevel: {
    schema: choice(logLevels, 'warn', 'Log level on stderr'),
    inProcess: 'silent',
    placeholder: 'level',
    handedTo: 'start',
  },
  adviceReport: {
    schema: Type.Optional(text('File for the findings of the checks, written at the end')),
    help: 'File for the findings of the checks over all resets, written at the end: .sarif, .xml (JUnit), .json, .md or .txt',
    unsaid: 'none',
    placeholder: 'file',
    neverFromFile: 'writes a file',
    ...forCommands,
  },
  open: {
    schema: onOff('Open the dashboard in the browser'),
    ...forCommands,
  },
  json: {
    schema: onOff('Print the URLs as one line of JSON'),
    help: 'Print the URLs as one line of JSON, and nothing else on stdout',
    ...forCommands,
  },
} as const satisfies Record<string, Flag>

type Flags = typeof flags
export type FlagKey = keyof Flags

export interface NamedFlag extends Flag {
  readonly key: FlagKey
}

/** The flags in their order. */
export const flagList: readonly NamedFlag[] = Object.entries<Flag>(flags).map(([key, flag]) => ({
  key: key as FlagKey,
  ...flag,
}))

/** Parsed value of every flag, from any source. */
export type FlagValues = Static<TObject<{ -readonly [Key in FlagKey]: Flags[Key]['schema'] }>>

type HandedTo<Part> = {
  readonly [
    Key in keyof FlagValues as Flags[Key] extends { handedTo: Part } ? Key : never
  ]: FlagValues[Key]
}

/** Flags passed to the start unchanged. */
export type StartFlags = HandedTo<'start'>
/** Flags passed to the settings unchanged. */
export type SettingFlags = HandedTo<'settings'>
