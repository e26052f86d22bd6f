import type { AuditRunItem, StartAuditRequest } from '../contract/control-types.ts'

/** Step of an audit that waits for a program. */
export type AuditStep = NonNullable<AuditRunItem['step']>

/** Module that runs, for the functions of a test. */
export interface AuditMoment {
  /** Such as `id-token/nonce`; `plain` for the honest sign-in. */
  module: string
}

export interface AppAuditOptions {
  /** App to judge. */
  clientId: string
  /**
   * Signs a user in to the app, in a fresh session. It may throw: an app may refuse a sign-in.
   * Resolves when the sign-in has ended, well or not.
   */
  signIn?: (moment: AuditMoment) => unknown
  /**
   * Returns whether the user of the last `signIn` is signed in; any truthy value means yes. Or the URL of a page that
   * only signed-in users see.
   */
  signedIn?: string | ((moment: AuditMoment) => unknown)
  /** Text in that page that only signed-in users see. */
  signedInText?: string
  /** Makes the app call the Hub for its signed-in user, or the URL that does. */
  use?: string | ((moment: AuditMoment) => unknown)
  /** Restarts the app, and resolves when it responds: for an app that reads the metadata of the Hub at its start only. */
  restart?: (moment: AuditMoment) => unknown
  /** URL by which the app begins a sign-in, instead of `signIn`: a browser of the sandbox opens it. */
  start?: string
  /** Kind of sign-in. Default: `sign-in`, in a browser; `device` = by a device code. */
  flow?: NonNullable<StartAuditRequest['flow']>
  /** User who signs in. Default: the first one. */
  user?: string
  /** The only module to run, such as `id-token/nonce`. */
  module?: string
  /** Modules to run. Default: `core`. */
  plan?: NonNullable<StartAuditRequest['plan']>
  /** Only these modules, or groups such as `callback`. */
  only?: readonly string[]
  /** Without these modules or groups. */
  skip?: readonly string[]
}

/** Class of the web's own names; `unknown` in projects that have neither the types of Node nor of browsers. */
type Web<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : unknown

/** Receiver to audit: `receive`, `url` or `webhookId`. */
export interface ReceiverAuditOptions extends Pick<
  StartAuditRequest,
  'url' | 'webhookId' | 'secret' | 'secretIn' | 'plan' | 'only' | 'skip' | 'profile' | 'event'
> {
  /** The receiver as a function, such as `webhooks.fetch` of `hub-sandbox/receiver`. */
  receive?: (request: Web<'Request'>) => Web<'Response'> | Promise<Web<'Response'>>
  /** Path that `receive` is called with. Default: `/webhooks/events`. */
  path?: string
  /** Amount of work that the receiver has done: a function, or a URL that responds with it. */
  effects?: string | (() => number | string | Promise<number | string>)
  /** Restarts the receiver, and resolves when it receives again: a storm does that in the middle of deliveries. Or a URL that does. */
  restart?: string | (() => unknown)
  /** Sends the same events in several orders instead, with duplicates, delays, retries and slow bodies. */
  storm?: boolean | NonNullable<StartAuditRequest['storm']>
}

export interface StormOptions {
  /** Receivers to judge, one after the other. */
  receivers: readonly Omit<ReceiverAuditOptions, 'storm' | 'plan' | 'only' | 'skip'>[]
  /** Seed of the order, to repeat a storm. Default: other orders each time, whose seeds the verdicts name. */
  seed?: number | string
  /** Number of events. Default: 100. */
  events?: number
  /** Number of orders. Default: 5, or 1 with a seed. */
  orders?: number
}

export interface SandboxAudit {
  /**
   * Audits an app: after an honest sign-in, the sandbox misbehaves in one sign-in after another, and reports whether the app
   * noticed. Each verdict is `passed`, `failed`, `tolerated`, or says why nothing could be judged.
   * @throws {Error} if the honest sign-in fails, or `signedIn` returns no boolean
   * @example
   * const { verdicts } = await sandbox.audit.app({
   *   clientId: '11111111-1111-4111-8111-111111111111',
   *   start: 'http://localhost:3000/login',
   *   signedIn: 'http://localhost:3000/me',
   * })
   */
  app(options: AppAuditOptions): Promise<AuditRunItem>
  /**
   * Audits a webhook receiver with incorrect and hostile deliveries.
   * @example
   * const { verdicts } = await sandbox.audit.receiver({ receive: async () => new Response(), only: ['secret/missing'] })
   */
  receiver(options: ReceiverAuditOptions): Promise<AuditRunItem>
}
