/** Texts that several places of this feature share. */
export const words = {
  // Activity chart
  succeeded: 'Succeeded',
  failed: 'Failed',
  failing: 'Failing',
  pending: 'Pending',
  notRunTitle: 'Not run',

  // Choice bar
  duplicateMenu: 'Duplicate…',

  // Delivery list
  state: 'State',
  result: 'Result',
  event: 'Event',
  repo: 'Repo',
  webhook: 'Webhook',
  durationColumn: 'Duration',

  // Delivery row
  auditOf: (module: string) => `Audit: ${module}`,
  aMoment: 'a moment',

  // Empty deliveries
  emptyWithoutWebhook:
    'There are no webhooks yet. One click starts a sample receiver, creates its webhook and pushes a commit.',
  emptyWithWebhook:
    'Changes in watched repos are delivered here within milliseconds. Trigger an event, or push to a repo.',
  ownReceiverLead:
    'Save it as receiver.mjs in a project that has hub-sandbox, and run it with Node. It listens on port 3000.',

  // Filter bar
  skipped: 'Skipped',

  // Delivery actions
  replay: 'Replay',
  editAndReplay: 'Edit and replay',
  chain: 'Earlier deliveries that caused this one',
  editWebhook: 'Edit webhook',
  payload: 'Payload',
  delivery: 'Delivery',

  // Delivery detail
  response: 'Response',
  attempt: 'Attempt',
  inFlight: 'in flight',

  // Message view
  headersOf: (message: string) => `${message} headers`,
  bodyOf: (message: string) => `${message} body`,

  // Replay chosen dialog

  // Replay rules
  hubReplayRules:
    'one delivery is replayed at a time, with the same body and Webhook-Id, to the current URL with the current secret. Bulk replays, duplicates and shuffling do not exist there.',
  replaysKeepIds:
    'each delivery is sent again with its own Webhook-Id, so a receiver that processes an id once ignores it.',
  duplicatesHaveIds:
    'each duplicate is a new delivery with its own Webhook-Id, so a receiver that only checks ids processes it again.',
  replayConcurrency:
    'Up to four at a time are sent to a webhook, one if it is ordered. They are not retried and do not count towards the quota.',

  // Request pane
  target: 'Target',

  // Response pane
  truncatedTo: (kept: string, size: string) =>
    kept ? `truncated to ${kept} of ${size}` : `truncated, ${size} in total`,

  // Related pane
  auditCountsNowhere: 'An attempt of an audit, which counts nowhere',

  // Timeline pane
  notRun: 'not run',

  // Summary pane
  cancelled: 'Cancelled',
  documented: 'documented',
  ruleSuccess:
    'Only a 2xx response is a success. Anything else is retried and counts towards suspension.',
  ruleReplay:
    'A replay goes to the current URL with the current secret and does not count towards the quota.',
  sandboxChoice: 'sandbox choice',
  ruleWaits:
    'The delays between attempts, and the number of failed deliveries that suspends a webhook.',
} as const
