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
export const flowKinds = ['authorization-code', 'device-code', 'token-exchange', 'refresh'] as const
export type FlowKind = (typeof flowKinds)[number]

/** Where a sign-in stands. */
export const flowOutcomes = ['pending', 'completed', 'refused'] as const
