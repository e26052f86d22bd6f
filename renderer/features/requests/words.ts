/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  requests: 'Requests',
  lead: 'Every request, with the reason if it was refused.',
  bySignIn: 'By sign-in',
  exportHar: 'Export HAR',
  reportTitle: 'All sign-ins, deliveries and requests as one file, with secrets masked',

  // Filter line
  filterRequests: 'Filter requests',
  matching: 'Matching requests',
  quickFilters: 'Quick filters',
  user: 'User',
  anyUser: 'Any user',
  app: 'App',
  anyApp: 'Any app',

  // Request rows
  model: 'Model',
  rule: 'Rule',
  streamed: 'Streamed',
  yes: 'yes',
  no: 'no',
  when: 'When',
  status: 'Status',
  request: 'Request',
  faultBadge: 'fault',
  resentBadge: 'resent',
  upload: 'Upload by Xet',
  download: 'Download by Xet',
  transferred: (requests: number, size: string) => `${requests} requests, ${size}`,
  failedOf: (failed: number) => `${failed} failed`,
  duration: 'Duration',
  completedAt: (time: string) => `completed ${time}`,

  // Requests
  kept: (kept: string, received: string) => `${kept} of ${received} requests kept`,
  oldestFrom: ', the oldest from',
  olderDropped: '. Older ones were dropped.',
  noMatch: 'No matching requests',
  noRequestsYet: 'No requests yet',
  clearedByReset: 'The log was cleared by the reset',
  clearedByRestore: (snapshot: string) => `The log was cleared when ${snapshot} was restored`,
  connectClient: 'Connect a client with the settings on the overview.',
  noInferenceYet: 'No requests to models yet',
  callModel:
    'Set the base URL of an OpenAI client to the URL of the sandbox with /v1, or HF_INFERENCE_ENDPOINT for the Hub’s clients. Then every call appears here.',

  // Inference page
  inferenceLog: 'Inference log',
  inferenceLead:
    'Requests to models and to inference endpoints. Responses come from the rules of the fixtures; without a match the model repeats the last message.',
  view: 'View',
  log: 'Requests',
  rules: 'Rules',
  noRules: 'No rules',
  noRulesHint:
    'Every completion repeats the last message. Add rules under "inference" in the fixtures file: the first that matches gives the reply, the tool calls or the error.',
  appliesTo: 'Applies to',
  anyRequest: 'any request',
  ofModel: (model: string) => `model ${model}`,
  withMessage: (text: string) => `last message with “${text}”`,
  ofRole: (role: string) => `last message of ${role}`,
  offersTools: (names: string) => `offers ${names}`,
  respondsWith: 'Responds with',
  repeatsMessage: 'the last message',
  callsOf: (names: string) => `calls of ${names}`,
  errorOf: (status: number, message: string) => `${status} ${message}`,
  matchedRequests: 'Requests',
  showMatched: (rule: string, count: string) => `Show ${count} of ${rule}`,

  // Status badge
  truncatedBadge: 'truncated',

  // Request panel
  partsOfRequest: 'Parts of the request',
  codeThatRepeats: 'Code that repeats the request',
  secretsMasked: 'Tokens and secrets are masked: insert yours.',
  bodyCut:
    'The log keeps the first 16 KiB of a body, with tokens and secrets masked: add the rest.',
  noDetail: 'The response contains all details.',
  received: 'Received',
  completed: 'Completed',
  grant: 'Grant',
  viewDiagram: 'View diagram',
  expected: 'normal step of the protocol',
  expectedInFull: 'A normal step of the protocol: not counted as a failure.',
  fault: 'Fault',
  changedBy: (rule: string, changes: string) => `changed by ${rule}: ${changes}`,
  unchangedBy: (rule: string) => `matched ${rule}, unchanged`,
  response: 'Response',
  realDuration: (took: string) => `${took} in real time; the sandbox clock was changed meanwhile`,
  truncated: ', truncated',
  headersOf: (title: string) => `${title} headers`,
  noHeaders: '(no headers)',
  bodyOf: (title: string) => `${title} body`,

  // Request actions
  resend: 'Resend',
  editAndResend: 'Edit and resend',
  resent: 'Resent',
  responseStatus: (status: number) => (status === 0 ? 'Connection cut' : `Response ${status}`),
  curlCommand: 'curl command',

  // Compare requests
  original: 'Original of this resend',
  previousOf: (method: string, route: string) => `Previous ${method} ${route}`,
  lastSuccess: (method: string, route: string) => `Last successful ${method} ${route}`,

  // Request facts
  pathAlone: 'Path',
  error: 'Error',
  reason: 'Reason',
  query: 'Query',
  timing: 'Timing',

  // Resend dialog
  resendLead:
    'Sends a new request to the Hub as the same caller. A masked value sends the recorded one.',
  revert: 'Revert',
  method: 'Method',
  path: 'Path and query',
  headers: 'Headers',
  body: 'Body',
  invalidHeader: (line: string) => `"${line}" is not a header: write "Name: value".`,

  // Timeline pane
  cutAfter: (took: string) => `Connection cut after ${took}`,
  respondedAfter: (status: number, took: string) => `Responded with ${status} after ${took}`,
  inItsSignIn: 'Requests of its sign-in',

  // Related pane
  signIn: 'Sign-in',
  moreRequests: 'More requests',
  resentFrom: 'Resent from',
  resentAs: 'Resent as',
} as const

/** @param rule place of the rule in the fixtures, from 1; 0 = none */
export function ruleName(rule: number): string {
  return rule === 0 ? 'no rule' : `rule ${rule}`
}
