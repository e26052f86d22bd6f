/** Texts that several places of this feature share. */
export const words = {
  // Page
  tokens: 'Tokens',
  createToken: 'Create token',

  // Newest tokens
  newestTokens: 'Newest tokens',

  // Token table
  state: 'State',
  revoked: 'Revoked',
  token: 'Token',
  user: 'User',
  scopes: 'Scopes',
  remaining: 'Remaining',
  issued: 'Issued',

  // Create token dialog
  name: 'Name',
  app: 'App',
  organizations: 'Organizations',

  // Token rights
  permissions: 'Permissions',
  permissionsByOwner: 'Allowed actions',
} as const
