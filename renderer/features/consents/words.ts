/** Texts that several places of this feature share. */
export const words = {
  // Page
  consents: 'Consents',
} as const
