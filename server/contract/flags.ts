import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { FixturesFile } from './fixtures-types.ts'
import { usualPort, usualUrl } from './usual-address.ts'
import { logLevels } from './words/sandbox.ts'
import { deliveryProfiles } from './words/webhooks.ts'

/** Who starts a sandbox: `hub-sandbox start`, or a program by `startSandbox`. */
export type Starter = 'commandLine' | 'inProcess'

/** All that is to be said about a flag of `start`; whatever knows the flags follows from it. */
export interface Flag {
  /** Its value, once it was read: type, limits, description, default. Optional: there may be none. */
  readonly schema: TSchema & { readonly description?: string; readonly default?: unknown }
  /** The default of `startSandbox`, where that is another one. */
  readonly inProcess?: unknown
  /** What counts where nothing is said, in words, for a default that is no value or says too little. */
  readonly unsaid?: string | Readonly<Partial<Record<Starter, string>>>
  /** What `true` stands for, where a text may be said instead. */
  readonly bare?: string
  /** What it does, as the help has it: there is more room than in an editor and in an error message. */
  readonly help?: string
  /** What the help calls its value. */
  readonly placeholder?: string
  /** What only code can hand over instead. */
  readonly inCode?: TSchema & { readonly title: string }
  /** What else somebody should know who writes it in code. */
  readonly remark?: string
  /** What it does that a fixtures file, which may be a stranger's, must not do. */
  readonly neverFromFile?: 'decides what others may reach' | 'has what is stored forgotten'
  /** Who is handed its value as it is; the others are worked on first. */
  readonly handedTo?: 'start' | 'settings'
}

const onOff = (description: string) => Type.Boolean({ default: false, description })
const onOffOrText = (description: string) =>
  Type.Union([Type.Boolean(), Type.String()], { default: false, description })
const choice = <const T extends string>(values: readonly T[], value: T, description: string) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], default: value, description }))
const texts = (description: string) => Type.Array(Type.String(), { default: [], description })

const reach = { neverFromFile: 'decides what others may reach' } as const
const forCommands = { remark: 'The command line does this', handedTo: 'start' } as const

/** Every flag of `start`, by its name in code; the order is that of the help and the documentation. */
export const flags = {
  port: {
    schema: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: usualPort,
      description: 'Port; 0 = any free one',
    }),
    inProcess: 0,
    help: 'port to listen on; 0 = any free one',
    placeholder: 'port',
    handedTo: 'start',
  },
  host: {
    schema: texts('Address to listen on'),
    unsaid: 'loopback, IPv4 and IPv6',
    placeholder: 'address',
    ...reach,
  },
  baseUrl: {
    schema: Type.Optional(
      Type.String({ description: 'Issuer and root of the absolute URLs in sign-in and payloads' }),
    ),
    unsaid: usualUrl.replace(String(usualPort), 'PORT'),
    placeholder: 'url',
    ...reach,
  },
  backChannelUrl: {
    schema: Type.Optional(
      Type.String({
        description: 'Second address, for apps that reach it by another name than browsers do',
      }),
    ),
    help: 'second address, for apps that reach the sandbox by another name than browsers do (containers): asked under it, the metadata gives token, JWKS, userinfo, registration and device addresses under it; the issuer and what a browser opens stay',
    remark: 'Asked under it, the metadata gives what programs call under it; the issuer stays',
    placeholder: 'url',
    ...reach,
  },
  intercept: {
    schema: texts('Origin of the real hub that it stands in for'),
    help: 'origin of the real hub that the sandbox stands in for, such as https://huggingface.co: the first is the issuer; requests of programs are led here by exec, or by node --import hub-sandbox/intercept',
    remark:
      'The first is the issuer, all are answered, and nothing under /_sandbox is served by their names',
    unsaid: 'none',
    placeholder: 'origin',
    ...reach,
  },
  https: {
    schema: onOff('Serve with a self-signed certificate'),
    help: 'serve with a self-signed certificate of its own',
    handedTo: 'start',
  },
  fixtures: {
    schema: Type.Optional(Type.String({ description: 'Fixtures file, or name of a bundled one' })),
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
    schema: Type.Optional(Type.String({ description: 'Where state lives' })),
    unsaid: { commandLine: 'the data folder of the user', inProcess: 'in memory' },
    placeholder: 'folder',
    ...reach,
  },
  ephemeral: {
    schema: onOff('Keep the state in memory only'),
    help: 'keep state in memory only',
    inProcess: true,
    unsaid: { inProcess: 'true unless `data` is given (on the command line false)' },
  },
  reset: {
    schema: onOff('Forget the stored state and load the fixtures again'),
    neverFromFile: 'has what is stored forgotten',
    handedTo: 'start',
  },
  autoApprove: {
    schema: onOffOrText('Consent and device approval without a page: true or a username'),
    help: 'consent and device approval without a page',
    bare: 'by the first user',
    placeholder: 'user',
  },
  deliveryProfile: {
    schema: choice(deliveryProfiles, 'hub', 'How deliveries are retried and signed'),
    placeholder: 'name',
    handedTo: 'settings',
  },
  rateLimits: {
    schema: onOff('Enforce the hub’s request limits'),
    help: 'enforce the request limits of the hub',
    remark: 'Without it the headers are sent and nothing is refused',
    handedTo: 'settings',
  },
  strict: {
    schema: onOff('None of the hub’s leniencies towards clients'),
    help: 'none of the hub’s leniencies: response_type required, scopes beyond the app’s settings refused, iss in the answer, scopes and claims in the metadata, a code burnt by a wrong verifier',
    remark: 'What the RFCs ask is asked',
    handedTo: 'settings',
  },
  seed: {
    schema: Type.Optional(
      Type.Integer({ description: 'Ids, codes, tokens and keys follow from it' }),
    ),
    help: 'ids, codes, tokens and the signing key follow from it',
    remark: 'Nothing in such a sandbox is secret',
    placeholder: 'number',
    handedTo: 'settings',
  },
  allowHost: {
    schema: texts('Further Host name that is answered'),
    placeholder: 'name',
    ...reach,
  },
  allowOrigin: {
    schema: texts(
      'Further web origin that is answered, of any scheme, such as capacitor://localhost',
    ),
    placeholder: 'origin',
    ...reach,
  },
  allowNetwork: {
    schema: onOff('Let outgoing requests go to public addresses'),
    ...reach,
    handedTo: 'settings',
  },
  runJobs: {
    schema: Type.Record(Type.String(), Type.String(), {
      default: {},
      description: 'Run this command for jobs of this image or Space, * = any',
    }),
    placeholder: 'image=command',
    ...reach,
  },
  runJobsEnv: {
    schema: texts('Name that a job may set as a variable of its process'),
    unsaid: 'none, all are in JOB_ENVIRONMENT and JOB_SECRETS',
    placeholder: 'name',
    ...reach,
  },
  controlToken: {
    schema: onOffOrText('Ask for a token under /_sandbox/'),
    bare: 'a random one',
    remark: 'Beyond loopback one is always asked for',
    placeholder: 'token',
    ...reach,
  },
  logLevel: {
    schema: choice(logLevels, 'warn', 'What is logged to stderr'),
    inProcess: 'silent',
    placeholder: 'level',
    handedTo: 'start',
  },
  open: {
    schema: onOff('Open the dashboard after the start'),
    help: 'open the dashboard in the browser',
    ...forCommands,
  },
  json: {
    schema: onOff('Print the addresses as one line of JSON'),
    help: 'print the addresses as one line of JSON on stdout, and nothing else there',
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

/** What each flag is once it was read, however it was written. */
export type FlagValues = Static<TObject<{ -readonly [Key in FlagKey]: Flags[Key]['schema'] }>>

type HandedTo<Part> = {
  readonly [
    Key in keyof FlagValues as Flags[Key] extends { handedTo: Part } ? Key : never
  ]: FlagValues[Key]
}

/** The flags that the start is handed as they are. */
export type StartFlags = HandedTo<'start'>
/** The flags that the settings have as they are. */
export type SettingFlags = HandedTo<'settings'>
