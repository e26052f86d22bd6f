// Words of the sandbox's own features.

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Ways in which a fault rule breaks a response: reset the connection, truncate the body, or send a proxy's error page.
 */
export const faultBreaks = ['reset', 'truncate', 'html'] as const

/**
 * Signatures that a fault rule gives an ID token: none, an HMAC whose secret is the published key, one of an unpublished
 * key, or one that does not fit.
 */
export const idTokenSignatures = ['none', 'hs256-public-key', 'other-key', 'broken'] as const

/** Modes of a trigger: change the state, or only send a payload. */
export const triggerModes = ['do', 'send'] as const
export type TriggerMode = (typeof triggerModes)[number]

/** Kinds of sign-ins by grant. */
export const flowKinds = [
  'authorization-code',
  'device-code',
  'token-exchange',
  'refresh',
  'registration',
  'metadata-document',
] as const
export type FlowKind = (typeof flowKinds)[number]

/** States of a sign-in. */
export const flowOutcomes = ['pending', 'completed', 'refused'] as const

/** Words for the result of a sign-in: `denied` and `expired` are refusals without a mistake of the app. */
export const flowResults = ['pending', 'completed', 'refused', 'denied', 'expired'] as const
export type FlowResult = (typeof flowResults)[number]

/** Parties of a sign-in. */
export const flowActors = ['browser', 'app', 'device', 'hub'] as const
export type FlowActor = (typeof flowActors)[number]

/**
 * Kinds of lines in the diagram of a sign-in: a message, a wait for someone, polls of a device, a clock move, requests
 * dropped from the log.
 */
export const flowStepKinds = ['message', 'waiting', 'polls', 'clock', 'missing'] as const

/**
 * Results of a step. `pending` is not an error: poll again, or still waiting. `changed`: a fault rule changed a response
 * that is not an error; `broken`: the error is due to a fault rule, or to a dropped connection.
 */
export const flowStepOutcomes = ['ok', 'pending', 'refused', 'changed', 'broken'] as const
export type FlowStepOutcome = (typeof flowStepOutcomes)[number]

/** Change of a suggested fix: a redirect URI or scope of the app, the app itself, a member, the clock. */
export const fixKinds = ['redirect-uri', 'scope', 'app', 'member', 'clock', 'publisher'] as const
export type FixKind = (typeof fixKinds)[number]

/** Frameworks and tools with a snippet that signs in, in display order. */
export const frameworks = [
  'auth-js',
  'better-auth',
  'passport',
  'nextjs',
  'hono',
  'authlib',
  'fastapi',
  'gradio',
  'go',
  'huggingface-js',
  'curl',
] as const
export type Framework = (typeof frameworks)[number]

/** Names of the frameworks as their makers write them. */
export const frameworkNames: Readonly<Record<Framework, string>> = {
  'auth-js': 'Auth.js',
  'better-auth': 'better-auth',
  passport: 'Passport',
  nextjs: 'Next.js',
  hono: 'Hono',
  authlib: 'Authlib',
  fastapi: 'FastAPI',
  gradio: 'Gradio',
  go: 'Go',
  'huggingface-js': 'huggingface.js',
  curl: 'curl',
}

/** Flow of a demo. */
export const demoKinds = [
  'sign-in',
  'device',
  'exchange',
  'refresh',
  'step-up',
  'silent',
  'refused',
  'webhook',
  'failing-webhook',
] as const
export type DemoKind = (typeof demoKinds)[number]

/** Mistake of a refused demo. */
export const demoVariants = [
  'redirect-uri',
  'scope',
  'secret',
  'pkce',
  'used-code',
  'denied',
  'used-refresh-token',
  'login-required',
  'not-a-member',
] as const
export type DemoVariant = (typeof demoVariants)[number]

/** Pace of a demo: one step at a time, or all at once. */
export const demoPaces = ['steps', 'at-once'] as const
export type DemoPace = (typeof demoPaces)[number]

/** Party that decides for the user: the sandbox, or a person in a browser. */
export const demoAnswerers = ['sandbox', 'person'] as const
export type DemoAnswerer = (typeof demoAnswerers)[number]

/** Results of a demo; `failed`: without a response of the hub, such as a reset connection. */
export const demoOutcomes = ['completed', 'refused', 'failed'] as const
export type DemoOutcome = (typeof demoOutcomes)[number]

/** Uses of a host in a state. */
export const hostUses = ['webhook', 'redirect'] as const

/** Kinds of search results. */
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
  'scheduled-job',
  'collection',
  'endpoint',
  'request',
  'fault',
  'snapshot',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** Programs that experiments judge. */
export const experimentSubjects = ['app', 'receiver'] as const

/** Parts of the hub that experiments are about, in the order of the dashboard. */
export const experimentAreas = ['sign-in', 'mcp', 'ci', 'webhooks'] as const
export type ExperimentArea = (typeof experimentAreas)[number]

/** States of an experiment that was run. */
export const experimentStates = ['armed', 'watching', 'passed', 'failed', 'unclear'] as const
export type ExperimentState = (typeof experimentStates)[number]
