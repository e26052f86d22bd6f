// Words of what the sandbox adds to the hub.

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** How a fault rule breaks an answer: the connection is cut, the body ends halfway, or a proxy's page comes instead. */
export const faultBreaks = ['reset', 'truncate', 'html'] as const
export type FaultBreak = (typeof faultBreaks)[number]

/** Whether a trigger changes the state, or only sends a payload. */
export const triggerModes = ['do', 'send'] as const
export type TriggerMode = (typeof triggerModes)[number]

/** How an app gets its token. */
export const flowKinds = [
  'authorization-code',
  'device-code',
  'token-exchange',
  'refresh',
  'registration',
  'metadata-document',
] as const
export type FlowKind = (typeof flowKinds)[number]

/** Where a sign-in stands. */
export const flowOutcomes = ['pending', 'completed', 'refused'] as const

/** Who takes part in a sign-in. */
export const flowActors = ['browser', 'app', 'device', 'hub'] as const
export type FlowActor = (typeof flowActors)[number]

/**
 * What one line of a sign-in's drawing is: an arrow; time in which somebody is waited for; a device that asks again and
 * again; a move of the clock; requests that the log no longer has.
 */
export const flowStepKinds = ['message', 'waiting', 'polls', 'clock', 'missing'] as const
export type FlowStepKind = (typeof flowStepKinds)[number]

/** How a step ended. `pending` is no error: ask again, or still waiting. `broken`: by a fault rule. */
export const flowStepOutcomes = ['ok', 'pending', 'refused', 'broken'] as const
export type FlowStepOutcome = (typeof flowStepOutcomes)[number]

/** Change of a suggested fix: a redirect URI or scope of the app, the app itself, a member, the clock. */
export const fixKinds = ['redirect-uri', 'scope', 'app', 'member', 'clock'] as const
export type FixKind = (typeof fixKinds)[number]

/** Flow of a demo. */
export const demoKinds = ['sign-in', 'device', 'exchange', 'refused'] as const
export type DemoKind = (typeof demoKinds)[number]

/** Mistake of a refused demo. */
export const demoVariants = [
  'redirect-uri',
  'scope',
  'secret',
  'pkce',
  'used-code',
  'denied',
  'not-a-member',
] as const
export type DemoVariant = (typeof demoVariants)[number]

/** Whether each step is asked for, or all are played at once. */
export const demoPaces = ['steps', 'at-once'] as const
export type DemoPace = (typeof demoPaces)[number]

/** Who answers for the user: the sandbox as that user, or a person in a browser. */
export const demoAnswerers = ['sandbox', 'person'] as const
export type DemoAnswerer = (typeof demoAnswerers)[number]

/** How a try ended; `failed`: other than by an answer of the hub, such as a connection that was cut. */
export const demoOutcomes = ['completed', 'refused', 'failed'] as const
export type DemoOutcome = (typeof demoOutcomes)[number]

/** What leads to a host that is named in a state. */
export const hostUses = ['webhook', 'redirect'] as const

/** What a search finds. */
export const searchKinds = [
  'token',
  'sign-in',
  'device',
  'user',
  'organization',
  'app',
  'repo',
  'webhook',
  'delivery',
  'job',
  'request',
  'fault',
  'snapshot',
] as const
export type SearchKind = (typeof searchKinds)[number]
