/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  checks: 'Checks',
  lead: 'Mistakes of apps and receivers that the recorded requests and deliveries show.',
  allSubjects: 'All apps and webhooks',
  subject: 'App or webhook',
  showIgnored: 'Show ignored',
  nothing: 'Nothing to check yet',
  nothingHint: 'Send a request of an app to the sandbox, or trigger an event with a webhook.',
  clean: 'No mistakes found',
  cleanHint: (judged: number, all: number) => `${judged} of ${all} checks had something to judge.`,
  allIgnored: 'All findings are ignored',
  judged: (judged: number, all: number) => `${judged} of ${all} checks had something to judge`,
  allChecks: 'All checks',
  allChecksLead: 'What each check looks for, and how often it had something to judge.',
  omitted: (count: number) => `${count} more findings are not shown.`,
  paused: (count: number) =>
    `${count} request${count === 1 ? '' : 's'} came in a pause, which is not judged.`,
  usedNowhere: 'An ignore that matches no finding',
  openSubject: 'Open',
  noApp: 'Clients without an app',
  perhaps: 'Perhaps',
  perhapsLead: 'Patterns that an honest app may show, too.',

  // Finding
  levels: { error: 'Error', warning: 'Warning', note: 'Note' },
  likely: 'likely',
  ignored: 'Ignored',
  times: (count: number) => (count === 1 ? 'once' : `${count} times`),
  last: 'last',
  fix: 'Fix',
  source: 'Source',
  missing: 'missing',
  isMistake: 'the mistake',
  requestGone: 'The log no longer has this request.',
  parametersOf: (line: string) => `Parameters of ${line}`,
  attempt: (number: string) => `Attempt ${number}`,
  ignore: 'Ignore',
  ignoreOf: (rule: string) => `Ignore ${rule}`,
  restore: 'Stop ignoring',
  fromFixtures: 'The fixtures file has this ignore.',
  about: 'About this check',

  // Ignore dialog
  ignoreTitle: (rule: string) => `Ignore ${rule}?`,
  ignoreLead: (subject: string) => `For ${subject}, until the next reset.`,
  reason: 'Reason',
  reasonHint: 'For good: config.advice.ignore of the fixtures file.',
  ignoreDone: 'Finding ignored',
  ignoreFailed: 'Could not ignore the finding',
  restoreFailed: 'Could not delete the ignore',

  // Rule page
  unknownRule: 'Unknown check',
  noRule: (id: string) => `There is no check ${id}.`,
  toChecks: 'All checks',
  looksFor: 'What it looks for',
  level: 'Level',
  certainty: 'Certainty',
  certaintyOf: {
    certain: 'Certain: the record proves it',
    likely: 'Likely: an honest app may do the same',
  },
  hadToJudge: 'Had to judge',
  never: 'nothing yet, so it has not passed',
  notReportedIf: 'Not reported if',
  found: 'Findings',
  ignoreIn: 'Ignore it for good',

  // Module page
  unknownModule: 'Unknown module',
  noModule: (id: string) => `There is no module ${id}.`,
  ofAudit: { app: 'Audit of an app', receiver: 'Audit of a receiver' },
  sends: 'Sends',
  expected: 'Expected',
  plans: 'Plans',
  needs: 'Needs',

  // List of checks
  check: 'Check',
  mistake: 'Mistake',
} as const
