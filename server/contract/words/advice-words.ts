// Words of the checks, those of SARIF 2.1.0 where it has one.

/** Levels of a finding, the worst first. */
export const adviceLevels = ['error', 'warning', 'note'] as const
export type AdviceLevel = (typeof adviceLevels)[number]

/** `certain`: the record alone proves it; `likely`: a pattern that an honest app may show too. */
export const adviceCertainties = ['certain', 'likely'] as const
export type AdviceCertainty = (typeof adviceCertainties)[number]

/** Formats of a report. */
export const reportFormats = ['text', 'json', 'sarif', 'junit', 'markdown', 'github'] as const
export type ReportFormat = (typeof reportFormats)[number]
