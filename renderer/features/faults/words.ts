/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  faults: 'Faults',
  lead: 'Delay, change or drop responses, and hold requests.',

  // Barriers panel
  barriers: 'Barriers',
  barriersLead: 'Hold matching requests until you release them.',
  heldOf: (held: number, count: number) => `${held} of ${count} requests held`,
  release: 'Release',

  // Faults panel
  faultsLead: 'Delay, change or drop upcoming responses.',
  removeAll: 'Remove all',
  addFault: 'Add fault',
  noFaults: 'No faults active.',
  match: 'Match',
  effect: 'Effect',
  hits: 'Hits',
  actions: 'Actions',
  usedUp: 'used up:',
  hitsOf: (hits: string, times: string) => `${hits} of ${times}`,
  removeFaultOf: (place: string) => `Remove the fault of ${place}`,

  // Experiments
  experiments: 'Experiments',
  experimentsLead:
    'Send your app a wrong response, or your receiver an unusual delivery, and check how it reacts.',
  run: 'Run',
  runAgain: 'Run again',
  stop: 'Stop',
  playWithDemo: 'Play with the demo app',
  viewSignIn: 'View sign-in',
  viewDelivery: 'View delivery',
  experimentOf: (title: string) => `Experiment: ${title}`,
  armed: 'armed',
  watching: 'watching',
  passed: 'passed',
  failed: 'failed',
  unclear: 'unclear',
  runFailed: 'Could not run the experiment',

  // Add fault dialog
  addLead: 'Which requests or deliveries to match, what to change, and how often.',
  view: 'View',
  form: 'Form',
  json: 'JSON',
  rule: 'Rule',
  ruleNeedsMatch: 'A rule needs a match, e.g. {"match": {}}.',

  // Effect fields
  dropConnection: 'Drop the connection',
  truncateBody: 'Truncate the body',
  proxyErrorPage: 'Proxy error page',
  delay: 'Delay',
  delayHint: 'e.g. 5s',
  status: 'Status',
  statusHint: 'e.g. 503',
  oauthError: 'OAuth error',
  errorHint: 'e.g. invalid_grant',
  skipFirst: 'Skip first',
  matchesHint: 'matches',
  applyTo: 'Apply to',
  matchesOrAll: 'matches; all if empty',
  effects: 'Effects',
  failure: 'Failure',
  none: 'None',
  alsoSets: 'It also sets',
  seeJson: ': see its JSON.',
  idToken: 'ID token',
  unchanged: 'unchanged',
  invalidSignature: 'Invalid signature',

  // Fault fields
  any: 'Any',
  appliesTo: 'Applies to',
  requests: 'Requests',
  deliveries: 'Deliveries',
  webhook: 'Webhook',
  anyWebhook: 'Any webhook',
  path: 'Path',
  pathHint: '* matches anything',
  method: 'Method',
  app: 'App',
  grant: 'Grant',

  // Fault preview
  nothingToPreview: (what: string) => `No ${what} yet to preview the match.`,
  wouldMatch: (count: string, considered: string) =>
    `Would match ${count} of the last ${considered}.`,
  deliveryLine: (scope: string, action: string, repo: string, state: string) =>
    `${scope} · ${action} in ${repo}: ${state}`,
  earlier: (count: string) => `and ${count} earlier`,

  // Presets
  tokens: 'Tokens',
  slowTokenEndpoint: 'Slow token endpoint',
  refreshRefusedOnce: 'Refresh refused once',
  userinfoDown: 'Userinfo unavailable',
  tooManyRequests: 'Too many requests',
  inference: 'Inference',
  noCredits: 'No credits left',
  modelLoading: 'Model is loading',
  wrongNonce: 'Wrong nonce',
  wrongAudience: 'Wrong audience',
  expiredIdToken: 'Expired ID token',
  wrongSignature: 'Wrong signature',
  unknownSigningKey: 'Unknown signing key',
  connection: 'Connection',
  connectionReset: 'Connection reset',
  truncatedResponse: 'Truncated response',
  webhook429: 'Webhook responds 429',
  deliveriesFail: 'Deliveries fail',
  deliveriesLate: 'Deliveries delayed',

  // Requests
  faultAdded: 'Fault added',
  removeFailed: 'Could not remove the fault',
  removeAllFailed: 'Could not remove the faults',
  requestsReleased: 'Requests released',
  releaseFailed: 'Could not release the barrier',
} as const
