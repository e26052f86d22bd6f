/** Texts that several places of this feature share. */
export const words = {
  // Page
  deviceCodes: 'Device codes',
} as const
