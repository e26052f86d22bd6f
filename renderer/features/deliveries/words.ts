/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  deliveries: 'Deliveries',
  lead: 'Every delivery attempt and its result.',

  // Activity chart
  succeeded: 'Succeeded',
  firstAttempt: 'First-attempt success',
  failingNow: 'Failing',
  failed: 'Failed',
  pending: 'Pending',
  summary: (deliveries: string, succeeded: number, failing: number, failed: number) =>
    `${deliveries} over time: ${succeeded} succeeded, ${failing} failing, ${failed} failed`,

  // Choice bar
  selection: 'Selected deliveries',
  selectionTooLarge: (count: string, most: string) =>
    `${count} selected; ${most} can be sent at once`,
  selectedCount: (deliveries: string) => `${deliveries} selected`,
  selectAll: 'Select all',
  clearSelection: 'Clear',
  replayMenu: 'Replay…',
  duplicateMenu: 'Duplicate…',

  // Choice cell
  selectDelivery: (scope: string, action: string, repo: string) =>
    `Select ${scope} ${action} of ${repo}`,

  // Delivery board
  exportFailed: 'Could not export the deliveries',
  noMatch: 'No matching deliveries',
  clearFilter: 'Clear filter',

  // Delivery list
  time: 'Time',
  state: 'State',
  result: 'Result',
  event: 'Event',
  repo: 'Repo',
  webhook: 'Webhook',
  attemptColumn: 'Attempt',
  durationColumn: 'Duration',
  nextColumn: 'Next',

  // Delivery row
  duplicateMark: 'Duplicate',
  auditOf: (module: string) => `Audit: ${module}`,
  editedReplay: 'Edited replay',
  payloadOnlyMark: 'Payload only, without a change',
  markedForComparison: 'Marked for comparison',
  bookmarked: 'Bookmarked',
  inTime: 'in',
  aMoment: 'a moment',

  // Empty deliveries
  noDeliveriesYet: 'No deliveries yet',
  sampleStarted: 'Sample receiver started',
  sampleFailed: 'Could not start a sample receiver',
  startASampleReceiver: 'Start a sample receiver',
  writeYourOwn: 'Write your own',
  createAWebhookForIt: 'Create a webhook for it',
  triggerUpdate: 'Trigger repo.content update',
  emptyWithoutWebhook:
    'There are no webhooks yet. Start a receiver, create a webhook for it, and trigger an event.',
  emptyWithWebhook:
    'Changes in watched repos are delivered here within milliseconds. Trigger an event, or push to a repo.',
  showSkipped: 'Show skipped',
  ownReceiver: 'Write your own receiver',
  ownReceiverLead:
    'Save it as receiver.mjs in a project that has hub-sandbox, and run it with Node. It listens on port 3000.',
  sampleReceiver: 'Sample receiver',

  // Filter bar
  allStates: 'All states',
  filterDeliveries: 'Filter deliveries',
  skipped: 'Skipped',
  audits: 'Audits',
  anyTime: 'Any time',
  select: 'Select',
  exportAsNdjson: 'Export as NDJSON',
  followLive: 'Following live',
  newCount: (count: string) => `${count} new ↑`,
  followStopped: 'Stopped following',

  // Delivery actions
  replayed: 'Replayed',
  curlCommand: 'curl command',
  retryNow: 'Retry now',
  replay: 'Replay',
  editAndReplay: 'Edit and replay',
  cancel: 'Cancel',
  release: 'Release',
  chain: 'Earlier deliveries that caused this one',
  editWebhook: 'Edit webhook',
  moreActions: 'More actions',
  replayManyMenu: 'Replay several times…',
  compareMenu: 'Compare…',
  editWebhookMenu: 'Edit webhook…',
  copyAsCurl: 'Copy as curl',
  copyPayload: 'Copy payload',
  payload: 'Payload',
  copyDeliveryAsJson: 'Copy delivery as JSON',
  present: 'Present',
  delivery: 'Delivery',

  // Delivery detail
  toList: 'Back to the list',
  codeFor: 'Code for this delivery',
  timing: 'Timing',
  attemptsMade: 'Attempts',
  request: 'Request',
  response: 'Response',
  partsOfTheDelivery: 'Parts of the delivery',
  attempt: 'Attempt',
  attemptLabel: (number: number, source: string, outcome: string | number) =>
    `Attempt ${number} (${source}): ${outcome}`,
  inFlight: 'in flight',

  // Compare deliveries
  originalOfDuplicate: 'Original of this duplicate',
  originalOfEdit: 'Original of this edited replay',
  previous: (scope: string, action: string, repo: string) =>
    `Previous ${scope} · ${action} of ${repo}`,
  sameEventAt: (webhook: string) => `Same event at ${webhook}`,

  // Edit replay dialog
  payloadMissing: 'Enter a payload',
  editLead: 'Sends a new delivery marked as edited. The original stays unchanged.',
  revert: 'Revert',
  sent: 'Sent',
  send: 'Send',

  // Message view
  pretty: 'Pretty',
  raw: 'Raw',
  headers: 'Headers',
  hex: 'Hex',
  viewOf: (message: string) => `View of the ${message}`,
  headersOf: (message: string) => `${message} headers`,
  hexBodyOf: (message: string) => `${message} body, hexadecimal`,
  bodyOf: (message: string) => `${message} body`,
  notJson: 'Not JSON:',
  position: (line: number, column: number) => `(line ${line}, column ${column})`,

  // Replay chosen dialog
  replayCount: (deliveries: string) => `Replay ${deliveries}`,
  duplicateCount: (deliveries: string) => `Duplicate ${deliveries}`,
  duplicatesEach: 'Duplicates of each',
  fromOneTo: (most: number) => `A number from 1 to ${most}`,
  order: 'Order',
  oldestFirst: 'Oldest first',
  shuffled: 'Shuffled',
  sentOf: (sent: number, total: number) => `${sent} of ${total} sent`,
  stoppedAfter: (sent: number) => `Stopped: ${sent} sent`,
  stop: 'Stop',
  sendRequests: (requests: string) => `Send ${requests}`,

  // Replay many dialog
  replaySeveralTimes: 'Replay several times',
  replayManyLead: 'A good receiver processes each Webhook-Id once.',
  times: 'Times',
  wholeNumber: (most: number) => `A whole number from 1 to ${most}`,
  replayProgress: (done: number, times: string, succeeded: number) =>
    `${done} of ${times} sent, ${succeeded} succeeded`,
  replayTimes: (times: string) => `Replay ${times}`,

  // Replay rules
  onHub: 'On the Hub',
  hubReplayRules:
    'one delivery is replayed at a time, with the same body and Webhook-Id, to the current URL with the current secret. Bulk replays, duplicates and shuffling do not exist there.',
  here: 'Here',
  replaysKeepIds:
    'each delivery is sent again with its own Webhook-Id, so a receiver that processes an id once ignores it.',
  duplicatesHaveIds:
    'each duplicate is a new delivery with its own Webhook-Id, so a receiver that only checks ids processes it again.',
  replayConcurrency:
    'Up to four at a time are sent to a webhook, one if it is ordered. They are not retried and do not count towards the quota.',
  shuffleSeeded: 'The order follows from the ids: the same seed repeats it.',

  // Replay summary
  notSentLabel: 'not sent',
  requestedCount: 'requested:',

  // Request pane
  target: 'Target',
  webhookId: 'Webhook-Id',
  maskSecret: 'Mask secret',
  revealSecret: 'Reveal secret',
  bodyCut: (kept: string, size: string) => `The first ${kept} of ${size} are kept.`,
  notSentYet: 'Not sent yet.',
  jobNoRequest: 'The webhook starts a job, so there is no request.',
  notSentBecause: (message: string) => `Not sent: ${message}.`,
  notSent: 'Not sent.',

  // Response pane
  truncatedTo: (kept: string, size: string) =>
    kept ? `truncated to ${kept} of ${size}` : `truncated, ${size} in total`,
  jobNoResponse: 'The webhook starts a job, so there is no response.',
  noResponseYet: 'No response yet.',

  // Related pane
  auditCountsNowhere: 'An attempt of an audit, which counts nowhere',
  skippedNoEffects: 'Skipped: it cannot have effects.',
  notSentNoEffects: 'Not sent yet, so there are no effects.',
  likelyLoop: 'Likely a loop',
  likelyLoopText: (deliveries: string) =>
    `The webhook got ${deliveries} within 5 s of this one. If its receiver caused them, choose the user that it acts as in the webhook: the sandbox then holds a webhook that triggers itself.`,
  cause: 'Cause',
  actingAs: 'User',
  commit: 'Commit',
  discussion: 'Discussion',
  possibleEffects: 'Possible effects',
  fromTime: 'From',
  toTime: 'to',
  requestsOfOwner: "Requests of the webhook's owner",
  noRequestsOfOwner: 'No requests of its owner.',
  connectionDropped: 'connection dropped',
  commitsInRepo: 'Commits in the repo',
  noOtherCommits: 'No other commits.',
  by: 'by',
  furtherDeliveries: 'Other deliveries to this webhook',
  noOtherDeliveries: 'No other deliveries.',

  // Timeline pane
  skippedNothingSent: 'Skipped: nothing is sent.',
  noAttempts: 'No attempts yet.',
  slowResponse: 'Over 10 s: other senders time out by then, the Hub after 30 s.',
  startedJob: 'View the job',
  interrupted: 'The sandbox stopped during the attempt, so its outcome is unknown.',
  nextAttemptIn: 'Next attempt in',
  at: 'at',
  urlChanged: (url: string) => `URL changed to ${url}`,
  secretSet: 'secret added',
  secretRemoved: 'secret removed',
  later: (span: string) => `${span} later`,
  immediately: 'immediately',
  restarted: 'the sandbox was restarted',
  notRun: 'not run',

  // Summary pane
  audit: 'Audit',
  causedBy: 'Cause',
  payloadOnly: 'payload only, without a change',
  realChange: 'a real change',
  matchedBy: 'Matched by',
  failures: 'Failures',
  cancelled: 'Cancelled',
  duplicateOf: 'Duplicate of',
  editedFrom: 'Edited from',
  created: 'Created',
  finished: 'Completed',
  rulesTitle: 'Delivery rules and sources',
  documented: 'documented',
  ruleSuccess:
    'Only a 2xx response is a success. Anything else is retried and counts towards suspension.',
  ruleReplay:
    'A replay goes to the current URL with the current secret and does not count towards the quota.',
  fromHubCode: 'from Hub code',
  ruleTimeout: 'An attempt times out after 30 seconds.',
  sandboxChoice: 'sandbox choice',
  ruleWaits:
    'The delays between attempts, and the number of failed deliveries that suspends a webhook.',

  // Replay outcome
  notSentCount: (count: string) => `not sent: ${count}`,
  noResponse: 'no response',
  responseStatus: (status: number) => `Response ${status}`,

  // State look
  failing: 'Failing',
  sending: 'Sending',
  queued: 'Queued',
  paused: 'Paused',
  pausedAsLoop: 'Paused (loop)',
  recordedNotRun: 'Recorded (not run)',
  noHost: 'DNS failed',
  noRoute: 'no route',
  notReached: 'not reached',
  noServer: 'no server',
  noConnect: 'connect timeout',
  jobFailed: 'job failed',
} as const
