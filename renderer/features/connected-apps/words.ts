/** Texts that several places of this feature share. */
export const words = {
  // Page
  connectedApps: 'Connected apps',
} as const
