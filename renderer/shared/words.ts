import type { FlowKind } from '../../server/contract/words/sandbox.ts'

/** Texts of the parts that several features share, in the order of its files. */
export const words = {
  // Checks
  findingMark: (level: string, rule: string) => `Check: ${level}, ${rule}`,
  check: (level: 'error' | 'warning' | 'note') =>
    ({ error: 'Mistake', warning: 'Warning', note: 'Note' })[level],

  // Audit view
  auditTitle: (plan: string) => (plan === 'storm' ? 'Storm' : `Audit, plan ${plan}`),
  auditStates: {
    running: 'Running',
    waiting: 'Waiting for you',
    finished: 'Finished',
    stopped: 'Stopped',
    broken: 'Could not judge',
  },
  auditDone: (done: number, planned: number) => `${done} of ${planned} modules`,
  auditModules: 'Modules',
  auditAttempts: 'Attempts',
  openEvidence: { app: 'Open request', receiver: 'Open attempt' },
  auditOutcomes: {
    passed: 'passed',
    failed: 'failed',
    tolerated: 'tolerated',
    inconclusive: 'inconclusive',
    'not-applicable': 'not applicable',
    'not-reached': 'not reached',
  },
  auditRuns: (module: string) => `Running ${module}…`,
  honestSignIn: 'An honest sign-in first…',
  stopAudit: 'Stop audit',
  stepDone: 'Done',
  skipModule: 'Skip',
  expected: 'Expected',
  fix: 'Fix',
  auditNotStopped: 'Could not stop the audit',
  auditNotContinued: 'Could not continue the audit',

  // Active overrides text
  heldOf: (place: string, held: number, count: number) => `${place}: ${held} of ${count} held`,
  oneDeviceWaiting: '1 device waiting',
  devicesWaiting: (devices: string) => `${devices} waiting`,
  hitsLeft: (hits: string) => `${hits} left`,
  barriersHold: (barriers: string, state: string) => `${barriers} ${state}`,
  active: 'active',
  requestsHeld: (requests: string) => `holding ${requests}`,

  // Clock controls
  advanceTheClock: 'Advance the clock',
  advanceBy: 'Advance by',
  otherAmount: '90s or 1h30m',
  durationExample: 'A duration, e.g. 90s, 8h or 1h30m',
  advance: 'Advance',
  resumeClock: 'Resume',
  freezeClock: 'Freeze',
  runAllDueRetries: 'Run all due retries',
  htmlReport: 'HTML report',
  reportFailed: 'Could not write the report',
  realTimeButton: 'Back to real time',
  realTime: 'Real time',
  ahead: (span: string) => `${span} ahead of real time`,
  behind: (span: string) => `${span} behind real time`,
  frozenClock: (moved: string) => `${moved}, frozen`,

  // Code pane
  language: 'Language',

  // Detail panel
  closePanel: 'Close (Esc)',
  paneTitles: {
    summary: 'Summary',
    request: 'Request',
    response: 'Response',
    timeline: 'Timeline',
    related: 'Related',
    code: 'Code',
  },

  // Compare dialog
  compare: 'Compare',
  compareWith: 'Compare with',
  nothingToCompare:
    'There is no similar entry yet. To compare any two, press v on the first, then open the second and compare.',
  differences: (count: string) =>
    count === '0' ? 'No differences' : count === '1' ? '1 difference' : `${count} differences`,
  withSame: 'Show equal values',
  comparedName: 'Name',
  comparedOther: 'Other',
  comparedThis: 'This one',
  firstDifference: 'first difference',
  absent: 'absent',
  marked: (id: string) => `Marked: ${id}`,

  // Device decision
  decisionFailed: 'Could not approve or deny the device code',
  organizationsOf: (user: string) => `Organizations of ${user}`,
  decideAs: 'As',
  approve: 'Approve',
  deny: 'Deny',

  // Device row
  viewFlow: 'view flow',
  byUser: (user: string) => ` by ${user}`,
  withOrganizations: (names: string) => ` with ${names}`,
  tokenDelivered: 'token delivered',
  tokenNotRequested: 'token not requested yet',
  approvedBy: (by: string, organizations: string, token: string) =>
    `approved${by}${organizations}; ${token}`,
  expiredUnanswered: 'expired without a decision at',
  requested: 'requested at',
  expiresIn: ', expires in',

  // Export link
  exporting: (name: string) => `Exporting ${name}…`,
  notComplete: (name: string) => `${name} is not complete`,
  exportFailed: 'Could not export the state',

  // Fault text
  delayBy: (delay: string) => `delay by ${delay}`,
  dropConnection: 'drop the connection',
  truncateBody: 'truncate the body',
  proxyErrorPage: 'respond with a proxy error page',
  refuseWith: (error: string) => `refuse with ${error}`,
  respondWith: (status: number) => `respond with ${status}`,
  replaceBody: 'replace the body',
  changeJson: 'change the JSON',
  setHeaders: 'set headers',
  changeIdToken: 'change the ID token',
  lengthenTokens: 'lengthen the tokens',
  changeRedirect: 'change the redirect to the app',
  drillIdToken: (mistake: string) => `ID token of the CI job: ${mistake}`,
  skipFirst: (count: number) => `after ${count}`,
  anyWebhook: 'deliveries of any webhook',
  deliveriesOf: (webhook: string) => `deliveries of ${webhook}`,
  anyRoute: 'any route',
  grantOf: (grant: string) => `grant ${grant}`,

  // Fix change
  loopback: 'loopback: this machine',
  notLoopback: 'not loopback',
  nothingElse: 'Nothing else changes.',
  alsoChanges: 'Also changes:',

  // JSON view
  searchJson: (label: string) => `Search in ${label}`,
  searchPlaceholder: 'Search',
  found: (at: number, count: number) => (at > 0 ? `${at} of ${count}` : String(count)),
  foldAll: 'Fold all',
  unfoldAll: 'Unfold all',
  copyOf: 'Copy',
  jsonPointer: 'JSON pointer',
  jsPath: 'JavaScript path',
  jsonValue: 'Value',

  // Report menu
  exportReport: 'Export',
  reportFormats: {
    sarif: 'SARIF, for code scanning',
    junit: 'JUnit',
    markdown: 'Markdown, for a job summary',
    json: 'JSON',
    text: 'Text',
  },
  reportNotExported: 'Could not export the report',

  // Permanent fix
  makePermanent: 'Make it permanent',
  inFixturesAt: 'In the fixtures file, at',
  fixtures: 'Fixtures',

  // Query view
  notFound: (what: string) => `Could not find ${what}`,

  // Views menu
  savedViews: 'Saved views',
  savedViewsLead: 'Queries of this list, kept in this browser. The palette finds them, too.',
  viewName: 'Name',
  saveView: 'Save query',
  viewSaved: (name: string) => `View ${name} saved`,
  viewReplaced: (name: string) => `Replaces the query of ${name}.`,
  noQuery: 'Type a query into the list first.',
  deleteView: (name: string) => `Delete view ${name}`,

  // Suggested fixes
  allowRedirect: 'Allow this URI',
  grantScopes: 'Add the scopes',
  registerApp: 'Register the app',
  addMember: 'Add the member',
  advanceClock: 'Advance the clock',
  changeClaims: 'Change the claims',
  fixed: 'Fixed.',
  howToFix: 'How to fix this',
  changedByFault: 'changed by a fault',
  audit: 'audit',
  openInSettings: {
    redirectUris: 'Edit the redirect URIs of the app',
    scopes: 'Edit the scopes of the app',
    clientSecret: 'Show the secret of the app',
  },

  // Trigger outcome
  disabled: 'is disabled',
  suspended: 'is suspended after failures',
  notWatching: 'does not watch this repo',
  otherDomain: 'does not watch this kind of event',
  quotaUsed: 'has used its quota for the last 24 hours',
  noAccess: 'has no access to this private repo',
  publicAddress: 'calls a public address, which requires --allow-network',
  triggered: (scope: string, action: string) => `Triggered ${scope} · ${action}`,
  triggeredMany: (events: string) => `Triggered ${events}`,
  skippedCount: (count: number) => `, ${count} skipped`,
  noWebhooks: 'Nothing was delivered: there are no webhooks.',
  nothingDelivered: (reasons: string) => `Nothing was delivered: ${reasons}.`,

  // Webhook health
  failedInARow: 'failed in a row',
  sinceTime: ', since',
  lastError: 'Last error',
} as const

/** Names of the kinds of sign-ins. */
export const kindTitles: Record<FlowKind, string> = {
  'authorization-code': 'Browser sign-in',
  'device-code': 'Device sign-in',
  'token-exchange': 'Token exchange',
  refresh: 'Refresh',
  registration: 'App registration',
  'metadata-document': 'Client metadata document',
}
