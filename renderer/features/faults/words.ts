import type { ExperimentArea } from '../../../server/contract/words/sandbox-words.ts'

/** Texts that several places of this feature share. */
export const words = {
  // Page
  faults: 'Faults',
  rules: 'Fault rules',

  // Barriers panel
  barriers: 'Barriers',

  // Faults panel
  addFault: 'Add fault',

  // Experiments
  experimentsLead:
    'Send your app a wrong response, or your receiver an unusual delivery, and check how it reacts.',
  scorecard: 'Scorecard',
  runAll: 'Run all',
  withDemo: 'With the demo app',
  withOwn: 'With your own app',
  areas: {
    'sign-in': 'Sign-in',
    mcp: 'MCP',
    ci: 'CI identity',
    webhooks: 'Webhooks',
  } satisfies Record<ExperimentArea, string>,

  // Effect fields
  proxyErrorPage: 'Proxy error page',
  idToken: 'ID token',
  unchanged: 'unchanged',
  redirect: 'Redirect to the app',

  // Fault fields
  appliesTo: 'Applies to',
  deliveries: 'Deliveries',

  // Presets
  tooManyRequests: 'Too many requests',
  wrongAudience: 'Wrong audience',
  expiredIdToken: 'Expired ID token',
  unknownSigningKey: 'Unknown signing key',

  // Requests
  removeFailed: 'Could not remove the fault',
} as const
