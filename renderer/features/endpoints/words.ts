import type { EndpointState } from '../../../server/contract/words/endpoint-words.ts'

/** Texts that several places of this feature share. */
export const words = {
  // Page
  title: 'Inference endpoints',
  endpoint: 'Inference endpoint',
  create: 'Create endpoint',
  emptyHint:
    'Create one here, or let a Hub client do it: create_inference_endpoint of huggingface_hub.',

  // List
  instance: 'Instance',
  nextState: {
    pending: 'initializing',
    initializing: 'running',
    updating: 'running',
    running: 'scales to zero',
  } satisfies Partial<Record<EndpointState, string>>,

  // Panel
  states: 'States',
  call: 'Call it',

  // State machine
  stateNames: {
    pending: 'pending',
    initializing: 'initializing',
    updating: 'updating',
    running: 'running',
    paused: 'paused',
    scaledToZero: 'scaled to zero',
  } satisfies Record<EndpointState, string>,
  leaves: {
    pending: 'becomes initializing soon',
    initializing: 'becomes running soon',
    updating: 'becomes running soon',
    running: 'scales to zero after its timeout without a request; a change makes it updating',
    paused: 'Resume makes it pending',
    scaledToZero: 'a request or Resume makes it pending',
  } satisfies Record<EndpointState, string>,
} as const
