/** Texts that several places of this feature share. */
export const words = {
  // Page
  deliveries: 'deliveries',

  // Client settings
  connectTitle: 'Connect your app',

  // First steps
  firstSteps: 'First steps',
  createWebhook: 'Create a webhook',

  // Sign-in panel
  unknownApp: 'Unknown app',
  latestSignIns: 'Latest sign-ins',

  // Webhooks panel
  issues: 'Issues',
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
  deliveriesFailing: (webhook: string, what: string) => `Delivery to ${webhook} failing: ${what}`,
  deliveriesFailed: (webhook: string, what: string) => `Delivery to ${webhook} failed: ${what}`,
  deliveriesFailedBefore: (webhook: string, what: string) =>
    `Delivery to ${webhook} failed before: ${what}`,
  attemptsEach(counts: readonly number[], isOne: boolean): string {
    const most = Math.max(...counts)
    const attempts = most === 1 ? '1 attempt' : `${most} attempts`
    if (isOne) return attempts
    return counts.length > 1 ? `up to ${attempts} each` : `${attempts} each`
  },

  // Describe entry
  accessChanged: {
    pending: (user: string, repo: string) => `${user} asks for access to ${repo}`,
    accepted: (user: string, repo: string) => `${user} has access to ${repo}`,
    rejected: (user: string, repo: string) => `Access of ${user} to ${repo} rejected`,
    withdrawn: (user: string, repo: string) => `${user} withdrew the request for ${repo}`,
  },
  responseStatus: (status: string | number) => `response ${status}`,
} as const
