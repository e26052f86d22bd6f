import type { FlowActor } from '../../../server/contract/words/sandbox-words.ts'

/** Texts that several places of this feature share. */
export const words = {
  // Page
  signIns: 'Sign-ins',
  present: 'Present',
  allSignIns: 'All sign-ins',
  emptyHint:
    'Connect an app and sign in, or run a demo. Each message is drawn as it arrives, with its purpose and the reason if it was refused.',

  // Flow filter bar
  outcome: 'Outcome',
  ofAudits: (count: string) => `Audits (${count})`,

  // Layout
  soFar: (took: string) => `${took} so far`,

  // Export menu
  exportFailed: 'Could not export',

  // Poll table
  response: 'Response',

  // Step details
  scopes: 'Scopes',
  parameters: 'Parameters',
  request: 'Request',
  noRequest: 'This step has no request that the sandbox saw.',
  sinceStart: 'Since the start',
  took: 'Duration',
  changedByFault: 'Changed by a fault',

  // Token card
  historyAndPermissions: 'History and permissions',
  claims: 'Claims',
} as const

/** Names of actors that a flow does not name. */
export const actorNames: Record<FlowActor, string> = {
  browser: 'Browser',
  app: 'App',
  device: 'Device',
  hub: 'Hub',
}
