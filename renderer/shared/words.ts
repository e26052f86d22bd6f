import type { FlowKind } from '../../server/contract/words/sandbox-words.ts'

/** Texts of the parts that several features share, in the order of its files. */
export const words = {
  // Checks
  findingMark: (level: string, rule: string) => `Check: ${level}, ${rule}`,

  // Audit view
  auditStates: {
    running: 'Running',
    waiting: 'Waiting for you',
    finished: 'Finished',
    stopped: 'Stopped',
    broken: 'Could not judge',
  },
  openEvidence: { app: 'Open request', receiver: 'Open attempt' },
  auditOutcomes: {
    passed: 'passed',
    failed: 'failed',
    tolerated: 'tolerated',
    inconclusive: 'inconclusive',
    'not-applicable': 'not applicable',
    'not-reached': 'not reached',
  },

  // Clock controls
  htmlReport: 'HTML report',
  ahead: (span: string) => `${span} ahead of real time`,
  behind: (span: string) => `${span} behind real time`,
  previewLabel: 'What advancing the clock expires',
  previewHint: 'Point at a step to see what expires by then.',
  expires: (advance: string) => `Within ${advance}:`,
  expiresNothing: (advance: string) => `Nothing expires or becomes due within ${advance}.`,

  // Detail panel
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
  nothingToCompare:
    'There is no similar entry yet. To compare any two, press v on the first, then open the second and compare.',
  differences: (count: string) =>
    count === '0' ? 'No differences' : count === '1' ? '1 difference' : `${count} differences`,
  onlyIn: (isThis: boolean, step: string) =>
    `Only in ${isThis ? 'this' : 'the other'} sign-in: ${step}`,
  eachTime: (count: string) =>
    `also ${count} that ${count === '1' ? 'differs' : 'differ'} each time`,

  // JSON view
  found: (at: number, count: number) => (at > 0 ? `${at} of ${count}` : String(count)),
  jsonPointer: 'JSON pointer',
  jsPath: 'JavaScript path',
  jsonValue: 'Value',

  // Report menu
  reportFormats: {
    sarif: 'SARIF, for code scanning',
    junit: 'JUnit',
    markdown: 'Markdown, for a job summary',
    json: 'JSON',
    text: 'Text',
  },

  // Views menu
  savedViews: 'Saved views',

  // Suggested fixes
  howToFix: 'How to fix this',
  changedByFault: 'changed by a fault',
  audit: 'audit',
  openInSettings: {
    redirectUris: 'Edit the redirect URIs of the app',
    scopes: 'Edit the scopes of the app',
    clientSecret: 'Show the secret of the app',
  },
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
