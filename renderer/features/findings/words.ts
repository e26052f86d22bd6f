/** Texts that several places of this feature share. */
export const words = {
  // Page
  allChecks: 'All checks',

  // Finding
  levels: { error: 'Error', warning: 'Warning', note: 'Note' },
  likely: 'likely',
  ignored: 'Ignored',
  times: (count: number) => (count === 1 ? 'once' : `${count} times`),
  fix: 'Fix',
  source: 'Source',
  ignore: 'Ignore',

  // Rule page
  level: 'Level',
  certaintyOf: {
    certain: 'Certain: the record proves it',
    likely: 'Likely: an honest app may do the same',
  },
  hadToJudge: 'Judged',
  found: 'Findings',
  ignoreIn: 'Ignore it for good',

  // Module page
  ofAudit: { app: 'Audit of an app', receiver: 'Audit of a receiver' },
} as const
