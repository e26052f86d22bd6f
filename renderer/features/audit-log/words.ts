/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  auditLog: 'Audit log',
  titleOf: (organization: string) => `Audit log of ${organization}`,
  lead: "Token exchanges and administrative token actions, as in the Hub's export.",
  organization: 'Organization',
  allOrganizations: 'All organizations',
  unknown: 'Organization not found',
  noOrganizationNamed: (name: string) => `No organization is named ${name}.`,
  empty: 'No entries yet',
  noMatch: 'No matching entries',
  emptyHint: (organization: string) =>
    `Token exchanges of apps of ${organization}, granted or refused, and token revocations by administrators are logged here.`,

  // Audit filters
  anyOutcome: 'Any outcome',
  granted: 'Granted',
  refused: 'Refused',
  outcome: 'Outcome',
  event: 'Event',
  anyEvent: 'Any event',
  actor: 'Actor',
  anyActor: 'Any actor',

  // Audit table
  when: 'When',
  actionColumn: 'Action',
  actorColumn: 'Actor',
  hubShort: 'Hub',
  app: 'App',

  // Audit row dialog
  rowTitle: (type: string, organization: string) => `${type} in ${organization}`,
  hubActor: 'the Hub',
  token: 'Token',
  ipAddress: 'IP address',
  userAgent: 'User agent',
  data: 'Data',
} as const
