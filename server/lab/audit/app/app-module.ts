import type { SeenRequest } from '../../checks/evidence.ts'
import type { Check, EvidenceItem } from '../../checks/rule.ts'
import type { AddBarrierRequest, AddFaultRequest } from '../../../contract/control-faults.ts'
import type { AuditPlan } from '../../../contract/words/audit-words.ts'
import type { Judgement } from '../judgement.ts'

/** One test of an app: the sandbox misbehaves in one sign-in, and what the app does next shows whether it noticed. */
export interface AuditModule extends Check {
  /** Smallest plan that includes the module. */
  readonly plan: 'core' | 'full'
  /** Name of the same test in the OpenID Foundation's suite, without `oidcc-client-test-`. */
  readonly oidf?: string
  /** Kind of sign-in. Default: `sign-in`. */
  readonly flow?: 'sign-in' | 'device'
  /** Whether an app must notice the mistake, or must not stumble over it. */
  readonly must: 'refuse' | 'accept'
  /** Expected behaviour, as a sentence: `The app refuses the sign-in.` */
  readonly expected: string
  /** Why a source allows an app to accept it, as a sentence. Such an acceptance is `tolerated`, not `failed`. */
  readonly tolerated?: string
  /**
   * Time in which an app may go on with the keys that it has read last. If it fails in this time, an honest sign-in after it
   * decides, and `reason` says why a source allows that, as a sentence.
   */
  readonly keysKept?: { readonly ms: number; readonly reason: string }
  /** Whether only a signed-in probe can judge it, because requests look alike in both cases. */
  readonly needsProbe?: true
  /**
   * Returns why the module does not concern this app, as a sentence, such as `The app sends no nonce.`; `undefined` if it
   * does.
   */
  applies?(facts: ControlFacts): string | undefined
  /** Steps of the module in order, as data. */
  provoke(facts: ControlFacts): readonly Step[]
  /**
   * Longest time of silence of an app that polls on. The module waits for as long after the last request, because a
   * program may sign in in the background.
   */
  pauseMs?(facts: Pick<ControlFacts, 'intervalMs'>): number
  /**
   * Judges what the app did. Default: {@link judgeRefusal} or {@link judgeAcceptance} of `judge.ts`, by `must`. It may
   * call these and refine the result. `tolerated` is applied afterwards.
   */
  judge?(evidence: ModuleEvidence): AppJudgement
}

/**
 * Fault rule of a module. The engine adds `match.clientId` and `match.flow: 'next'`, so that it strikes the next sign-in
 * of the audited app only, and removes the rule at the end of the module.
 */
export interface PoisonFault extends Omit<AddFaultRequest, 'match'> {
  readonly match: Omit<AddFaultRequest['match'], 'clientId' | 'flow' | 'webhookId'>
  /** `false` for metadata and keys: their requests name no app, so the rule strikes every reader while the module runs. */
  readonly bound?: false
}

/** One step of a module. */
export type Step =
  /**
   * Adds fault rules, which stay until the module ends. Rules before the first `sign-in` bind to it. Rules after it bind to
   * the sign-in that is present, or to the `next` one.
   */
  | { readonly do: 'poison'; readonly faults: readonly PoisonFault[]; readonly next?: true }
  /** Holds as many requests of the app, and releases them together when all have come or 2 s after the last step. */
  | { readonly do: 'hold'; readonly match: AddBarrierRequest['match']; readonly count: number }
  /** Restarts the app (`--restart`), so that it reads the metadata again; nothing happens without a command for it. */
  | { readonly do: 'restart' }
  /** Moves the sandbox clock, such as by `8h`. */
  | { readonly do: 'advance'; readonly by: string }
  /** Rotates the signing key; without `keepOld` the old one is gone from the key set. */
  | { readonly do: 'rotate-key'; readonly keepOld: boolean }
  /** The user revokes the app's access in the settings of the hub. */
  | { readonly do: 'revoke' }
  /** The user, or the `other` one, signs in to the app in a fresh browser. */
  | { readonly do: 'sign-in'; readonly as?: 'other' }
  /** Asks whether the user is signed in: the answer at the end is about the last sign-in alone. */
  | { readonly do: 'probe' }
  /** The signed-in user uses the app (`--use`), in the same browser; `times` requests at once. */
  | { readonly do: 'use'; readonly times?: number }
  /** The browser sends the last callback again. */
  | { readonly do: 'callback-again' }
  /**
   * Another user signs in in a browser of their own, up to the callback, which is not sent. The callback is then opened
   * in a fresh browser, which has not begun a sign-in. The probe asks as this browser.
   */
  | { readonly do: 'foreign-callback' }

/** What the honest sign-in of the control run showed. A module concludes nothing from a signal that is not here. */
export interface ControlFacts {
  readonly clientId: string
  readonly isPublicClient: boolean
  /** Issuer of the sandbox. */
  readonly issuer: string
  /** Pause that the sandbox asks devices for. */
  readonly intervalMs: number
  /** User who signs in. */
  readonly user: AuditUser
  /** Another user of the sandbox; absent if there is only one. */
  readonly otherUser?: AuditUser
  /**
   * Parameters of the app's authorization request (`nonce`, `state`, `code_challenge`, `scope` …), without empty ones,
   * which count as absent (RFC 6749 §3.1).
   */
  readonly asked: URLSearchParams
  /** Whether the token response had an ID token or a refresh token. */
  readonly hasIdToken: boolean
  readonly hasRefreshToken: boolean
  /** Whether the app read metadata or keys during the control run. */
  readonly readsMetadata: boolean
  readonly readsKeys: boolean
  /** Whether the app reads the ID token, by the module `id-token/garbage`; absent while unknown. */
  readonly readsIdToken?: boolean
  /** Whether the app accepts an unsigned ID token, by the module `id-token/alg-none`; absent while unknown. */
  readonly acceptsUnsigned?: boolean
  readonly signals: ControlSignals
  /** Whether the driver can use the app (`--use`), restart it, or send its callback by itself. */
  readonly driver: {
    readonly canUse: boolean
    readonly canRestart: boolean
    readonly isBrowser: boolean
  }
  /** Real milliseconds from the token response to the last signal. */
  readonly tookMs: number
}

export interface AuditUser {
  readonly id: string
  readonly username: string
  readonly email?: string
}

/** Signals by which the app shows that it accepted a sign-in. */
export interface ControlSignals {
  /** Paths that the app requested with a token of the sign-in, such as `/oauth/userinfo`. */
  readonly tokenUses: readonly string[]
  /** Whether there is a probe, which said no before the sign-in and yes after it. */
  readonly probe: boolean
  /** Status of the page where the browser ended; absent if the driver cannot see it. */
  readonly landing?: number
}

/** What happened in one module. Requests are those of the app, in the order of their arrival. */
export interface ModuleEvidence {
  readonly facts: ControlFacts
  /** Steps that the driver has done. */
  readonly steps: readonly Step[]
  /** Number of poisoned responses, or moved clocks and keys, that the app has met. 0 = it was never tested. */
  readonly hits: number
  /** All requests since the module began: authorization, token, API, metadata and keys. */
  readonly requests: readonly SeenRequest[]
  /** Those that came after the first poisoned response; all of them when no step has faults. */
  readonly after: readonly SeenRequest[]
  /** Token requests with the code of this sign-in. */
  readonly redemptions: readonly SeenRequest[]
  /** Token requests with a refresh token of this sign-in. */
  readonly refreshes: readonly SeenRequest[]
  /** Requests in `after` with an access token of this sign-in, other than to `/oauth/token`. */
  readonly tokenUses: readonly SeenRequest[]
  /** Result of the probe after the last step; absent without a probe. */
  readonly signedIn?: boolean
  /** Page of the last probe; absent if the driver cannot see it. */
  readonly signedInPage?: string
  /** State at the step `probe`, with the reason if the driver had failed before it. */
  readonly earlier?: { readonly signedIn?: boolean; readonly driverProblem?: string }
  /** Responses of the app to the browser, in order; empty if the driver is no browser. */
  readonly visits: readonly Visit[]
  /** Whether the app still answered after the module; absent if the driver cannot see it. */
  readonly isAlive?: boolean
  /** Why the driver failed, as a sentence. */
  readonly driverProblem?: string
}

/** Response of the app to the browser of the driver. */
export interface Visit {
  /** Step, counted from 0. */
  readonly step: number
  readonly method: string
  readonly url: string
  /** 0 when the connection was cut. */
  readonly status: number
  readonly contentType: string
  /** At most 1 MiB. */
  readonly body: string
  /** Redirect of the response. */
  readonly location?: string
}

/** Judgement of an app by its requests. */
export type AppJudgement = Judgement<EvidenceItem>

/** Returns the plans that include a module. */
export function plansOf({ plan, oidf }: AuditModule): AuditPlan[] {
  return [
    ...(plan === 'core' ? (['core'] as const) : []),
    'full',
    ...(oidf === undefined ? [] : (['oidf'] as const)),
  ]
}
