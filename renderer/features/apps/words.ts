/** Texts that several places of this feature share. */
export const words = {
  // Page
  space: 'Space',
  app: 'App',
  clientId: 'Client ID',
  onlyOrganization: (name: string) => `${name} only`,
  scopes: 'Scopes',
  apps: 'Apps',
  registerApp: 'Register app',

  // App page
  signIns: 'Sign-ins',

  // Connect tab
  redirectUri: 'Redirect URI',
  environment: '.env',
  installAndRun: 'Install and run',

  // Settings tab
  publicPkce: 'public, uses PKCE',
  newSecret: 'Replace secret',
  removeSecret: 'Remove secret',
  deleteConsequence:
    'Its sign-ins are refused from now on. If it is registered again, users must authorize it again.',
  replaceSecret: 'Replace secret',
  newSecretConsequence:
    'Clients that use the current secret are refused until they have the new one.',
  removeSecretAction: 'Remove secret',
  removeSecretConsequence:
    'Clients that use the secret are refused from now on; sign-ins require PKCE.',

  // Audit tab
  auditLead:
    'An honest sign-in first. Then the sandbox misbehaves in one sign-in after another, and reports what the app did not notice.',
  auditSignedInHint:
    'Responds with 2xx to signed-in users only. Without it, some modules cannot judge.',
  auditPlans: { core: 'Core', full: 'Full', oidf: 'OpenID Foundation' },
  auditPlanHints: {
    core: 'The most important modules, in about a minute.',
    full: 'All modules, also those about devices, expired tokens and outages.',
    oidf: 'The modules that the suite of the OpenID Foundation has, too.',
  },

  // Register dialog
  withASecret: 'With a secret',
} as const
