/** Texts that several places of this feature share. */
export const words = {
  // Page
  deliveries: 'deliveries',

  // Client settings
  clientSettings: 'Client settings',
  connectTitle: 'Connect your app',

  // Trigger row
  triggerAnEvent: 'Trigger an event',

  // First steps
  firstSteps: 'First steps',
  createWebhook: 'Create a webhook',

  // Sign-in panel
  unknownApp: 'Unknown app',
  latestSignIns: 'Latest sign-ins',

  // Webhooks panel
  issues: 'Issues',
  deliveriesByResult: 'Deliveries by result',
  since: 'since',
  countFailed: (count: string) => `${count} failed`,

  // Waiting panel
  waitingForYou: 'Waiting for you',

  // Issue pointer
  noIssues: 'No issues',

  // Density strip
  lanes: {
    'sign-ins': 'Sign-ins',
    requests: 'Requests',
    deliveries: 'Deliveries',
    events: 'Events',
  },

  // Timeline
  timeline: 'Activity',

  // Delivery failures
  undelivered: (webhook: string, counts: string) => `Deliveries to ${webhook}: ${counts}`,
  failedBefore: (webhook: string) => `Deliveries to ${webhook} failed before`,
  noneLeft: 'None is failing or failed now',
  failing: 'failing',
  failed: 'failed',

  // Activity lines
  refusedRequests: 'Requests refused',
  byAudit: 'Audit: ',
  auditRefusals: 'Requests of audits refused',
  auditsCountNowhere: 'An audit provoked them; they are no failures',
  refusedNow: (count: string) => `${count} in the log`,

  // Describe entry
  theUser: 'The user',
  accessChanged: {
    pending: (user: string, repo: string) => `${user} asks for access to ${repo}`,
    accepted: (user: string, repo: string) => `${user} has access to ${repo}`,
    rejected: (user: string, repo: string) => `Access of ${user} to ${repo} rejected`,
    withdrawn: (user: string, repo: string) => `${user} withdrew the request for ${repo}`,
  },
  responseStatus: (status: string | number) => `response ${status}`,
} as const
