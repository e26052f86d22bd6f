/** Texts of the parts that several features share, in the order of its files. */
export const words = {
  // Active overrides text
  heldOf: (place: string | number, held: string | number, count: string | number) =>
    `${place}: ${held} of ${count} held`,
  oneDeviceWaiting: '1 device waiting',
  devicesWaiting: (devices: string | number) => `${devices} waiting`,

  // Clock controls
  advanceTheClock: 'Advance the clock',
  advanceBy: 'Advance by',
  otherAmount: 'Other amount, e.g. 90s or 1h30m',
  durationExample: 'A duration, e.g. 90s, 8h or 1h30m',
  advance: 'Advance',
  resumeClock: 'Resume',
  freezeClock: 'Freeze',
  runAllDueRetries: 'Run all due retries',
  realTimeButton: 'Back to real time',
  realTime: 'Real time',
  frozenClock: (moved: string | number) => `${moved}, frozen`,

  // Device decision
  decisionFailed: 'Could not approve or deny the device code',
  organizationsOf: (user: string | number) => `Organizations of ${user}`,
  decideAs: 'As',
  approve: 'Approve',
  deny: 'Deny',

  // Device row
  viewFlow: 'view flow',
  byUser: (user: string) => ` by ${user}`,
  withOrganizations: (names: string) => ` with ${names}`,
  tokenDelivered: 'token delivered',
  tokenNotRequested: 'token not requested yet',
  expiredUnanswered: 'expired without a decision',
  requested: 'requested',
  expiresIn: ', expires in',

  // Export link
  exporting: (name: string | number) => `Exporting ${name}…`,
  notComplete: (name: string | number) => `${name} is not complete`,
  exportFailed: 'Could not export the state',

  // Fault text
  delayBy: (delay: string | number) => `delay by ${delay}`,
  dropConnection: 'drop the connection',
  truncateBody: 'truncate the body',
  proxyErrorPage: 'respond with a proxy error page',
  refuseWith: (error: string | number) => `refuse with ${error}`,
  respondWith: (status: string | number) => `respond with ${status}`,
  replaceBody: 'replace the body',
  changeJson: 'change the JSON',
  setHeaders: 'set headers',
  changeIdToken: 'change the ID token',
  skipFirst: (count: string | number) => `after ${count}`,
  anyWebhook: 'deliveries of any webhook',
  deliveriesOf: (webhook: string | number) => `deliveries of ${webhook}`,
  anyRoute: 'any route',
  grantOf: (grant: string | number) => `grant ${grant}`,

  // Fix change
  loopback: 'loopback: this machine',
  notLoopback: 'not loopback',
  nothingElse: 'Nothing else changes.',
  alsoChanges: 'Also changes:',

  // Permanent fix
  makePermanent: 'Make it permanent',
  inFixturesAt: 'In the fixtures file, at',
  fixtures: 'Fixtures',

  // Query view
  notFound: (what: string | number) => `Could not find ${what}`,

  // Suggested fixes
  allowRedirect: 'Allow this URI',
  grantScopes: 'Add the scopes',
  registerApp: 'Register the app',
  addMember: 'Add the member',
  advanceClock: 'Advance the clock',
  done: ': done.',
  howToFix: 'How to fix this',

  // Trigger outcome
  disabled: 'is disabled',
  suspended: 'is suspended after failures',
  notWatching: 'does not watch this repo',
  otherDomain: 'does not watch this kind of event',
  quotaUsed: 'has used its quota for the last 24 hours',
  noAccess: 'has no access to this private repo',
  publicAddress: 'calls a public address, which requires --allow-network',
  triggered: (scope: string | number, action: string | number) => `Triggered ${scope} · ${action}`,
  triggeredMany: (events: string | number) => `Triggered ${events}`,
  skippedCount: (count: string | number) => `, ${count} skipped`,
  noWebhooks: 'Nothing was delivered: there are no webhooks.',
  nothingDelivered: (reasons: string | number) => `Nothing was delivered: ${reasons}.`,

  // Webhook health
  failedInARow: 'failed in a row',
  sinceTime: ', since',
  lastError: 'Last error',
  barriersHold: (barriers: string, state: string) => `${barriers} ${state}`,
  armed: 'armed',
  requestsHeld: (requests: string) => `holding ${requests}`,
  hitsLeft: (hits: string) => `${hits} left`,
  ahead: (span: string) => `${span} ahead of real time`,
  behind: (span: string) => `${span} behind real time`,
  approvedBy: (by: string, organizations: string, token: string) =>
    `approved${by}${organizations}; ${token}`,
  withTitle: (title: string) => `${title}.`,
} as const
