/** Texts that several places of this feature share. */
export const words = {
  // Page
  auditLog: 'Audit log',
  organization: 'Organization',

  // Audit filters
  outcome: 'Outcome',
  event: 'Event',
  actor: 'Actor',

  // Audit table
  when: 'When',
  app: 'App',
} as const
