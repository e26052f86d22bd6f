/** Formats of the report of `drift`. */
export const driftFormats = ['text', 'json', 'markdown'] as const
export type DriftFormat = (typeof driftFormats)[number]
