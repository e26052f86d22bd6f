/** Texts that several places of this feature share. */
export const words = {
  // Page
  requests: 'Requests',

  // Filter line
  user: 'User',
  token: 'Token',
  openToken: 'Open the token',
  app: 'App',

  // Request rows
  model: 'Model',
  rule: 'Rule',
  streamed: 'Streamed',
  yes: 'yes',
  no: 'no',
  status: 'Status',
  request: 'Request',
  upload: 'Upload by Xet',
  download: 'Download by Xet',
  duration: 'Duration',

  // Requests
  callModel:
    'Set the base URL of an OpenAI client to the URL of the sandbox with /v1, or HF_INFERENCE_ENDPOINT for the Hub’s clients. Then every call appears here.',

  // Inference page
  inferenceLead:
    'Requests to models and to inference endpoints. Responses come from the rules of the fixtures; without a match the model repeats the last message.',
  rules: 'Rules',
  noRulesHint:
    'Every completion repeats the last message. Add rules under "inference" in the fixtures file: the first that matches gives the reply, the tool calls or the error.',

  // Request panel
  bodyCut:
    'The log keeps the first 16 KiB of a body, with tokens and secrets masked: add the rest.',
  received: 'Received',
  viewDiagram: 'View diagram',
  fault: 'Fault',
  changedBy: (rule: string, changes: string) => `changed by ${rule}: ${changes}`,
  unchangedBy: (rule: string) => `matched ${rule}, unchanged`,
  response: 'Response',
  headersOf: (title: string) => `${title} headers`,
  bodyOf: (title: string) => `${title} body`,

  // Request actions
  resend: 'Replay',
  editAndResend: 'Edit and replay',

  // Resend dialog
  resendLead:
    'Sends a new request to the Hub as the same caller. A masked value sends the recorded one.',
  method: 'Method',

  // Timeline pane
  inItsSignIn: 'Requests of its sign-in',

  // Related pane
  signIn: 'Sign-in',
} as const

/** @param rule place of the rule in the fixtures, from 1; 0 = none */
export function ruleName(rule: number): string {
  return rule === 0 ? 'no rule' : `rule ${rule}`
}
