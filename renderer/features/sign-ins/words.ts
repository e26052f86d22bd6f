import type { FlowActor } from '../../../server/contract/words/sandbox.ts'

/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  signIns: 'Sign-ins',
  lead: 'Every flow, drawn live.',
  present: 'Present',
  allSignIns: 'All sign-ins',
  empty: 'No sign-ins yet',
  emptyHint:
    'Connect an app and sign in, or run a demo. Each message is drawn as it arrives, with its purpose and the reason if it was refused.',

  // Flow filter bar
  anyKind: 'Any kind',
  anyOutcome: 'Any outcome',
  filterSignIns: 'Filter sign-ins',
  filterPlaceholder: 'App, user, id',
  kind: 'Kind',
  outcome: 'Outcome',

  // Flow list
  noSignIns: 'No sign-ins in the log',
  olderDropped: 'Older ones may have been dropped.',
  noMatch: 'No matching sign-ins',
  clearFilter: 'Clear the filter to see all of them.',

  // Compare sign-ins
  completedOfApp: 'Last completed one of this app',
  completedOfKind: 'Last completed one of this kind',
  lastOfApp: 'Last one of this app',
  lastOfKind: 'Last one of this kind',

  // Flow facts
  explanation: 'Explanation',
  app: 'App',
  user: 'User',
  statusOfStep: 'Status',
  headersOfStep: 'Headers',
  timing: 'Timing',

  // Device code
  deviceCode: 'Device code',
  qrCodeOf: (url: string) => `QR code of ${url}`,
  enterCode: 'Open this URL and enter the code. Expires in',
  aMoment: 'a moment, or has expired',

  // Layout
  pollsEvery: (seconds: number, answers: string) => `every ${seconds} s · ${answers}`,
  soFar: (took: string) => `${took} so far`,

  // Running text
  codeExpiresIn: (rest: string) => `code expires in ${rest}`,
  codeExpired: 'code expired',

  // Export menu
  exportFailed: 'Could not export',
  pictureSvg: 'Picture (SVG)',
  picturePng: 'Picture (PNG)',
  mermaidFile: 'Mermaid file',
  asATestVitest: 'As a test (vitest)',
  copyLink: 'Copy link',
  export: 'Export',
  copyAsMermaid: 'Copy as Mermaid',

  // Parameter table
  parameter: 'Parameter',
  valueAndPurpose: 'Value and purpose',
  ignored: 'ignored',

  // Pkce pair
  sentLater: 'Sent with the token request.',
  pkceMatch: 'match: same client',
  pkceMismatch: 'no match: the code is refused',

  // Poll table
  when: 'When',
  afterPrevious: 'After previous',
  response: 'Response',
  pollsLeftOut: (polls: string) => `Shows the first and the latest; ${polls} in between not shown.`,

  // Raw message
  lineAndHeadersOf: (title: string) => `${title} line and headers`,
  bodyOf: (title: string) => `${title} body`,
  bodyTruncated: 'The body is truncated here.',

  // Redirect compare
  sent: 'sent',
  registered: 'registered',
  noneRegistered: ': none',
  redirectRegistered: 'Registered',
  redirectUnregistered: 'Not registered: a redirect URI must match exactly.',

  // Scope verdicts
  grantedUnrequested: 'granted, not requested',
  requested: 'requested',

  // Secret value
  maskValue: (name: string) => `Mask ${name}`,
  showValue: (name: string) => `Show ${name}`,

  // Step details
  polls: 'Polls',
  exchangeChain: 'From subject to token',
  tokens: 'Tokens',
  pkce: 'PKCE',
  redirectUri: 'Redirect URI',
  scopes: 'Scopes',
  organizations: 'Organizations',
  parameters: 'Parameters',
  request: 'Request',
  inferred: 'inferred: not seen by the sandbox',
  viewRequest: 'View request',
  partsOfStep: 'Parts of the step',
  noRequest: 'This step has no request that the sandbox saw.',
  noResponse: 'This step has no response that the sandbox saw.',
  noRelated: 'No request and no token belongs to this step.',
  codeThatRepeats: 'Code that repeats the request',
  secretsMasked: 'Secrets are masked until you reveal them in the summary.',
  at: 'Time',
  sinceStart: 'Since the start',
  took: 'Duration',
  changedByFault: 'Changed by a fault',

  // Step pane
  stepDetails: 'Step details',
  close: 'Close',

  // Token card
  opaque: 'Opaque token',
  historyAndPermissions: 'History and permissions',
  atHashMatches: 'matches the access token.',
  atHashDiffers: (claimed: string, computed: string) =>
    `is ${claimed}, but the access token has ${computed}.`,
  header: 'Header',
  claims: 'Claims',
  name: 'Name',
  valueAndMeaning: 'Value and meaning',

  // Tell step
  missing: (name: string) => `Missing: ${name}`,
  waits: (actor: string, reason: string) => `${actor} waits: ${reason}`,
  waitsFor: (actor: string, other: string, reason: string) =>
    `${actor} waits for ${other}: ${reason}`,
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  sentAfter: (way: string, name: string, time: string) => `${way}: ${name}, after ${time}`,
  andInferred: ', inferred',
  pollsWere: (polls: string, seconds: number, responses: string) =>
    `${polls}, one every ${seconds} s: ${responses}`,
  connectionCut: 'connection cut',
  statusCode: (code: string) => `Status ${code}`,

  // Use announcement
  moreStepsThen: (count: number) => `${count} more steps, then:`,
} as const

/** Names of actors that a flow does not name. */
export const actorNames: Record<FlowActor, string> = {
  browser: 'Browser',
  app: 'App',
  device: 'Device',
  hub: 'Hub',
}
