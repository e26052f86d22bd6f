/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  tokens: 'Tokens',
  lead: 'Every access token that the sandbox issued. None work outside it.',
  createToken: 'Create token',

  // Token state
  revokedBadge: 'revoked',
  expiredBadge: 'expired',
  neverExpires: 'never expires',

  // Token table
  state: 'State',
  all: 'All',
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  filterTokens: 'Filter tokens',
  userAppScopeOrToken: 'User, app, scope or token',
  noTokensYet: 'No tokens yet',
  noMatch: 'No matching tokens',
  emptyHint: 'Sign in with an app, approve a device, or create a token for a script.',
  revokeTitle: (user: string) => `Revoke this token of ${user}?`,
  revokeToken: 'Revoke token',
  revokeConsequence: (preview: string) =>
    `Requests with ${preview} are refused from now on. This cannot be undone.`,
  refreshStays: (app: string) =>
    `A refresh token of ${app} stays valid. To revoke it too, disconnect the app.`,
  token: 'Token',
  user: 'User',
  openTokenOf: 'Open token of',
  appColumn: 'App',
  userAccessToken: 'User access token',
  scopes: 'Scopes',
  sourceColumn: 'Source',
  issued: 'Issued',
  actions: 'Actions',
  revokeTokenOf: (user: string) => `Revoke token of ${user}`,
  onlyOrganization: (name: string) => `${name} only`,

  // Create token dialog
  forAnApp: 'For an app',
  userWrite: 'User, write',
  userRead: 'User, read',
  createLead: 'For scripts and tests that need a token without a sign-in.',
  kindOfToken: 'Kind of token',
  name: 'Name',
  app: 'App',
  allScopes: 'Leave empty for all app scopes',
  allScopesOf: (scopes: string) => `Leave empty for all app scopes (${scopes})`,
  organizations: 'Organizations',
  organizationsHint: 'Names of the granted organizations',
  lifetime: 'Lifetime (seconds)',
  lifetimeHint: "Leave empty for the app's token lifetime",
  tokenResponse: 'Token response',
  close: 'Close',

  // Token dialog
  tokenOf: (user: string) => `Token of ${user}`,
  tokenForApp: (token: string, app: string) => `${token} for ${app}`,
  unknown: 'Token not found',
  noTokenWithId: (id: string) => `No token has the id ${id}.`,
  role: 'Role',
  source: 'Source',
  expires: 'Expires',
  reason: 'Reason',
  boundTo: 'Bound to',
  opaque: 'The token is opaque. These details come from the sandbox.',

  // Token history
  noRefreshToken: 'No refresh token',
  refreshUnused: 'Refresh token not used yet',
  refreshRevoked: 'Refresh token revoked',
  refreshExpired: 'Refresh token expired',
  history: 'History',
  issuedBy: 'Issued by',
  replaces: 'Replaces',
  refreshed: 'Refreshed',
  refreshedInto: 'into',
  usedBy: 'Used by',
  notUsed: 'Not used in the logged requests',
  usesInLog: (requests: string) => `${requests} in the log`,
  idToken: 'ID token issued with it',
  createdManually: 'Created manually or by the fixtures',
  requestDropped: 'A request that is no longer in the log',
  thisSignIn: 'this sign-in',
  inResponseTo: ', in the response to',
  aRequest: 'a request',
  thisRequest: 'this request',
  issuedAt: ', issued',

  // Token rights
  permissions: 'Permissions',
  permissionsByOwner: 'Allowed actions',
  noLongerValid: 'No longer valid:',
  usedToAllow: 'It used to allow:',
  moreOrganizations: 'more organizations are not shown.',
  onResourcesOf: 'On resources of',
  theUser: 'the user',
  roleIn: (role: string) => `role ${role}`,

  // Token uses
  earlierUses: (count: number) => `and ${count} earlier`,

  // Requests
  tokenRevoked: 'Token revoked',
  revokeFailed: 'Could not revoke the token',
} as const
