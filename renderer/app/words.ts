/** Texts that several places of the frame around every page share. */
export const words = {
  // Connection banner
  tokenRequired:
    'The sandbox requires its control token. Open the dashboard URL that it printed when it started.',

  // Keyboard help
  signIns: 'Sign-ins',
  keyboardShortcuts: 'Keyboard shortcuts',

  // Palette actions
  faults: 'Faults',
  theme: 'Theme',

  // Palette hits
  deliveries: 'Deliveries',

  // Shell
  navigation: 'Navigation',

  // Webhook activity page
  webhookUnknown: 'Webhook not found',
} as const
