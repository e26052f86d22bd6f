/** Texts that several places of this feature share. */
export const words = {
  // Panel
  apply: 'Apply',
  payloadOnly: 'Payload only',

  // Trigger preview
  payload: 'Payload',
} as const
