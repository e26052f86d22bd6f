/** Access to an inference endpoint. `protected` is the former name of `authenticated`. */
export const endpointTypes = ['authenticated', 'protected', 'public', 'private'] as const

/** States of an inference endpoint that stay until a request changes them. */
export const lastingEndpointStates = ['running', 'paused', 'scaledToZero'] as const

export const endpointStates = [
  'pending',
  'initializing',
  'updating',
  ...lastingEndpointStates,
] as const
export type EndpointState = (typeof endpointStates)[number]
