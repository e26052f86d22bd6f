/** Texts of the frame around every page, in the order of its files. */
export const words = {
  findings: 'findings',

  // Clock menu
  clockReading: (time: string, offset: string) => `Sandbox clock: ${time}. ${offset}`,
  sandboxClock: 'Sandbox clock',

  // Command palette
  paletteTitle: 'Command palette',
  palettePlaceholder: 'Search pages, commands, names, ids, tokens or codes',

  // Connection banner
  retryNow: 'Retry now',
  connectionLost: 'Connection lost. Showing the last known state; reconnecting…',
  tokenRequired:
    'The sandbox requires its control token. Open the dashboard URL that it printed when it started.',
  liveFeedBlocked: (seconds: number) =>
    `The live feed is blocked: something between this page and the sandbox does not pass WebSocket connections. Reloading data every ${seconds} seconds.`,

  // Keyboard help
  anywhere: 'Anywhere',
  keyPalette: 'search or run a command',
  keyTrigger: 'trigger an event',
  repeatTheLastTrigger: 'repeat the last trigger',
  keyHelp: 'show keyboard shortcuts',
  signIns: 'Sign-ins',
  nextStep: 'next step',
  previousStep: 'previous step',
  firstLastStep: 'first, last step',
  stepDetails: 'step details',
  newerOlder: 'newer, older sign-in',
  followNewest: 'follow the newest sign-in',
  playNextStep: 'play next step of the demo',
  present: 'present',
  deliveriesMove: 'Deliveries: move',
  nextFailure: 'next failure',
  previousFailure: 'previous failure',
  paneOfOpen: 'select a tab of the open delivery',
  deliveriesList: 'Deliveries: list',
  followOrStop: 'follow live, or stop',
  nextState: 'next state',
  showSkipped: 'show skipped',
  markToCompare: 'mark for comparison',
  compareWithMarked: 'compare with the marked delivery',
  selectForBulk: 'select for bulk actions',
  deliveriesAct: 'Deliveries: act',
  replaySeveralTimes: 'replay several times',
  editAndReplay: 'edit and replay',
  copyAsCurl: 'copy as curl',
  keyboardShortcuts: 'Keyboard shortcuts',
  singleKeysOff: 'Single-key shortcuts are off. Turn them on in Settings.',

  // Overrides bar
  clockOverride: (word: string) => `clock ${word}`,
  recordedRunOverride: 'recorded run',
  activeOverrides: 'Active overrides',
  moreOverrides: (count: number) => `and ${count} more`,

  // Pages
  thePage: 'the page',
  notFound: 'Not found',
  pageNotFound: 'Page not found',
  toOverview: 'Go to the overview',

  // Palette actions
  clockFailed: 'Could not change the clock',
  goTo: 'Go to',
  commands: 'Commands',
  triggerAnEvent: 'Trigger an event…',
  createAWebhook: 'Create a webhook…',
  registerAnApp: 'Register an app…',
  createAToken: 'Create a token…',
  createARepo: 'Create a repo…',
  createACollection: 'Create a collection…',
  createAnEndpoint: 'Create an inference endpoint…',
  scheduleAJob: 'Schedule a job…',
  replayFailed: 'Replay failed deliveries',
  replayNotDone: 'Could not replay the deliveries',
  replayed: (succeeded: number, failed: number) => `${succeeded} succeeded, ${failed} failed`,
  presentSignIn: 'Present the newest sign-in',
  demos: 'Demos',
  demoNotStarted: 'Could not start the demo',
  clock: 'Clock',
  advanceOneHour: 'Advance the clock by 1 hour',
  advanceEightHours: 'Advance the clock by 8 hours',
  advanceOneDay: 'Advance the clock by 1 day',
  freezeTheClock: 'Freeze the clock',
  resumeClock: 'Resume the clock',
  runAllDueRetries: 'Run all due retries',
  setTheClockBackTo: 'Set the clock back to real time',
  faults: 'Faults',
  addFault: 'Add fault…',
  removeAllFaults: 'Remove all faults',
  faultsNotRemoved: 'Could not remove the faults',
  allFaultsRemoved: 'All faults removed',
  state: 'State',
  saveSnapshot: 'Save a snapshot',
  snapshotNotSaved: 'Could not save the snapshot',
  snapshotSaved: (name: string) => `Snapshot ${name} saved`,
  resetToFixtures: 'Reset to the fixtures…',
  restoreASnapshot: 'Restore a snapshot…',
  exportAsFixtures: 'Export as fixtures',
  exportWithLog: 'Export with log',
  exportRequestsAsHar: 'Export requests as HAR',
  theme: 'Theme',
  lightTheme: 'Light theme',
  darkTheme: 'Dark theme',
  systemTheme: 'System theme',
  desktop: 'Desktop',
  openFixtures: 'Open fixtures…',
  fixturesNotOpened: 'Could not open the fixtures',
  showDataFolder: 'Show data folder',
  folderNotShown: 'Could not show the data folder',

  // Palette hits
  tokens: 'Tokens',
  devices: 'Devices',
  users: 'Users',
  organizations: 'Organizations',
  apps: 'Apps',
  repos: 'Repos',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  jobs: 'Jobs',
  scheduledJobs: 'Scheduled jobs',
  collections: 'Collections',
  endpoints: 'Inference endpoints',
  requests: 'Requests',
  snapshots: 'Snapshots',

  // Palette views
  savedViews: 'Saved views',

  // Palette recent
  recent: 'Recent',

  // Recorded run banner
  recordedRun: 'Recorded run',
  readOnly: 'For viewing only: no deliveries, retries or jobs.',
  notIncluded: 'Not included',
  exitCode: (code: number) => `, exit code ${code}`,
  runOf: (time: string) => `Recorded run of ${time}`,

  // Shell
  skipToContent: 'Skip to content',
  navigation: 'Navigation',

  // Theme switch
  followSystem: 'System',

  // Top bar
  searchOrRun: 'Search or run…',
  trigger: 'Trigger',
  connecting: 'Connecting',
  live: 'Live',
  offline: 'Offline',

  // Audit banner
  runningAudit: 'Running audit',
  auditPoisons: (app: string) =>
    `An audit gives ${app} wrong responses on purpose. Its sign-ins may fail.`,
  showAudit: 'Show audit',

  // Webhook activity page
  activityOf: (webhook: string) => `Activity of ${webhook}`,
  activity: 'Activity',
  webhookGone: (id: string) => `Webhook ${id} does not exist.`,
  webhookUnknown: 'Webhook not found',
  noDeliveriesOf: (id: string) => `No webhook has the id ${id}, and no deliveries to it are kept.`,
  statusFailing: (status: string) => `${status}, failing`,
  last24Hours: 'Deliveries in the last 24 hours',
  view: 'View',
  statistics: 'Statistics',
  edit: 'Edit',
  allWebhooks: 'All webhooks',

  // Webhook editor
  editWebhook: 'Edit webhook',
  noWebhookWithId: (id: string) => `No webhook has the id ${id}.`,
} as const
