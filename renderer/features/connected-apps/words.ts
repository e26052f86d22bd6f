/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  user: 'User',
  app: 'App',
  authorizedScopes: 'Scopes',
  since: 'Since',
  actions: 'Actions',
  disconnect: 'Disconnect',
  connectedApps: 'Connected apps',
  lead: 'Apps users have authorized. Disconnecting revokes their tokens.',
  empty: 'No connected apps yet',
  emptyHint: 'The first sign-in asks for consent; authorized apps are listed here.',
  disconnectTitle: (app: string, user: string) => `Disconnect ${app} from ${user}?`,
  disconnectApp: 'Disconnect app',
  disconnectConsequence: (user: string) =>
    `All its scopes and tokens for ${user} are revoked. It must ask for consent again.`,

  // Requests
  disconnected: 'Disconnected',
  disconnectFailed: 'Could not disconnect the app',
} as const
