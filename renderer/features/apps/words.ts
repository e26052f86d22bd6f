/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  selfRegistered: 'dynamic registration',
  metadataDocument: 'metadata document',
  space: 'Space',
  app: 'App',
  clientId: 'Client ID',
  kind: 'Kind',
  onlyOrganization: (name: string) => `${name} only`,
  scopes: 'Scopes',
  source: 'Source',
  tokens: 'Tokens',
  apps: 'Apps',
  lead: 'OAuth clients registered here.',
  registerApp: 'Register app',
  noAppsYet: 'No apps yet',
  emptyHint: 'Register one, or let a client register itself (RFC 7591).',
  unknown: 'App not found',
  noAppWithId: (id: string) => `No app has the client ID ${id}.`,

  // App dialog
  save: 'Save',
  secret: 'Secret',
  publicPkce: 'public, uses PKCE',
  owner: 'Owner',
  onlyMembersOf: 'Only members of',
  activeTokens: 'Active tokens',
  created: 'Created',
  unknownOrganizations: 'unknown organizations: nobody',
  addSecret: 'Add secret',
  newSecret: 'Replace secret',
  removeSecret: 'Remove secret',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteApp: 'Delete app',
  deleteConsequence:
    'Its sign-ins are refused from now on. If it is registered again, users must authorize it again.',
  tokensStop: (tokens: string) => `Revokes ${tokens}. Its sign-ins are refused from now on.`,
  newSecretTitle: (name: string) => `Replace the secret of ${name}?`,
  replaceSecret: 'Replace secret',
  newSecretConsequence:
    'Clients that use the current secret are refused until they have the new one.',
  removeSecretTitle: (name: string) => `Remove the secret of ${name}?`,
  removeSecretAction: 'Remove secret',
  removeSecretConsequence:
    'Clients that use the secret are refused from now on; sign-ins require PKCE.',

  // App fields
  name: 'Name',
  redirectUris: 'Redirect URIs',
  redirectUrisHint: 'One per line. Must match exactly; any port is accepted for localhost.',
  scopesHint: 'Scopes that it may request',
  organization: 'Organization',
  organizationHint: 'Required for token exchange',
  none: 'none',
  tokenLifetime: 'Token lifetime',
  tokenLifetimeHint: 'e.g. 8h; default if empty',
  mayExchangeTokensRfc8693: 'May exchange tokens (RFC 8693)',

  // Register dialog
  register: 'Register',
  kindOfApp: 'Kind of app',
  publicWithPkce: 'Public, with PKCE',
  withASecret: 'With a secret',

  // Requests
  appRegistered: 'App registered',
  appSaved: 'App saved',
  appDeleted: 'App deleted',
  deleteFailed: 'Could not delete the app',
  secretReplaced: 'New secret created; the old one no longer works',
  secretFailed: 'Could not create a secret',
  secretRemoved: 'Secret removed; the app is public now',
  secretNotRemoved: 'Could not remove the secret',
} as const
