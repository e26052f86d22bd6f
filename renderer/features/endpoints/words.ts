import type { EndpointState } from '../../../server/contract/words/endpoints.ts'

/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  title: 'Inference endpoints',
  endpoint: 'Inference endpoint',
  lead: 'Endpoints start, idle and stop on the sandbox clock. Their responses come from the inference rules of the fixtures.',
  create: 'Create endpoint',
  empty: 'No inference endpoints yet',
  emptyHint:
    'Create one here, or let a Hub client do it: create_inference_endpoint of huggingface_hub.',
  unknown: (id: string) => `No inference endpoint has the id ${id}.`,
  unknownTitle: 'Inference endpoint not found',

  // List
  state: 'State',
  instance: 'Instance',
  replicas: 'Replicas',
  lastRequest: 'Last request',
  never: 'never',
  nextState: {
    pending: 'initializing',
    initializing: 'running',
    updating: 'running',
    running: 'scales to zero',
  } satisfies Partial<Record<EndpointState, string>>,
  inSpan: ' in ',

  // Panel
  close: 'Close',
  pause: 'Pause',
  resume: 'Resume',
  scaleToZero: 'Scale to zero',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeAction: 'Delete endpoint',
  removeConsequence: 'Its URL responds with 404 from then on.',
  states: 'States',
  call: 'Call it',
  notCallable: 'It responds while it is running. Resume it to get its URL.',
  token: 'hf_…',
  model: 'Model',
  url: 'URL',
  access: 'Access',
  scaling: 'Scaling',
  replicaRange: (least: number, most: number) =>
    least === most ? `${least} replicas` : `${least} to ${most} replicas`,
  idleAfter: (minutes: number) => `scales to zero after ${minutes} min without a request`,
  neverIdle: 'never scales to zero by itself',
  creator: 'Created by',
  createdAt: 'Created',

  // State machine
  now: 'now',
  stateNames: {
    pending: 'pending',
    initializing: 'initializing',
    updating: 'updating',
    running: 'running',
    paused: 'paused',
    scaledToZero: 'scaled to zero',
  } satisfies Record<EndpointState, string>,
  leaves: {
    pending: 'by itself: initializing',
    initializing: 'by itself: running',
    updating: 'by itself: running',
    running: 'no request for its timeout: scaled to zero; a change: updating',
    paused: 'Resume: pending',
    scaledToZero: 'a request, or Resume: pending',
  } satisfies Record<EndpointState, string>,

  // Create dialog
  createTitle: 'Create an inference endpoint',
  namespace: 'Owner',
  namespaceHint: 'User or organization',
  name: 'Name',
  nameHint: 'Lower-case letters, digits and hyphens; at most 32',
  repository: 'Model repo',
  accessType: 'Access',
  minReplica: 'Minimum replicas',
  maxReplica: 'Maximum replicas',
  timeout: 'Scale to zero after (minutes)',
  timeoutHint: 'Leave empty: never. Needs 0 minimum replicas.',

  // Requests
  created: 'Inference endpoint created',
  createFailed: 'Could not create the inference endpoint',
  moveFailed: 'Could not change the inference endpoint',
  removed: 'Inference endpoint deleted',
  removeFailed: 'Could not delete the inference endpoint',
} as const
