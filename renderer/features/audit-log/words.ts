/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  auditLog: 'Audit log',
  titleOf: (organization: string | number) => `Audit log of ${organization}`,
  lead: "Token exchanges and administrative token actions, as in the Hub's export.",
  organization: 'Organization',
  allOrganizations: 'All organizations',
  unknown: 'Organization not found',
  empty: 'No entries yet',
  noMatch: 'No matching entries',

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
  rowTitle: (type: string | number, organization: string | number) => `${type} in ${organization}`,
  hubActor: 'the Hub',
  token: 'Token',
  ipAddress: 'IP address',
  userAgent: 'User agent',
  data: 'Data',
  noOrganizationNamed: (name: string) => `No organization is named ${name}.`,
  emptyHint: (organization: string) =>
    `Token exchanges of apps of ${organization}, granted or refused, and token revocations by administrators are logged here.`,
} as const
