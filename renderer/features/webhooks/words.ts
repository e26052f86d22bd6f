/** Texts that several places of this feature share. */
export const words = {
  // Page
  webhooks: 'Webhooks',
  createWebhook: 'Create webhook',
  emptyHint:
    'A webhook watches accounts or repos and receives a POST for every change. localhost URLs are fine.',

  // Links panel
  linksLead:
    'Forwarding URLs that expire like real ones: tunnels after 72 h, hosted receivers after 48 h without requests.',

  // Webhook table and panel
  webhook: 'Webhook',
  state: 'State',
  success: 'Success',
  lastDelivery: 'Last delivery',
  next: 'Next retry',
  sendTest: 'Send test event',
  last24Hours: 'Deliveries in the last 24 hours',

  // Webhook fields
  actsAsHint:
    'User as whom the receiver changes the Hub. The sandbox then knows which events it caused, and holds a webhook that triggers itself.',

  // Webhook statistics
  time: 'Time',

  // Audit
  auditReceiver: 'Audit this receiver',
  auditPlans: { core: 'Core', full: 'Full', storm: 'Storm' },
  auditPlanHints: {
    core: 'The most important modules, in a few seconds.',
    full: 'Slow senders, large bodies and rare payloads, too.',
    storm: 'The same events in several orders, with duplicates, delays and retries.',
  },
} as const
