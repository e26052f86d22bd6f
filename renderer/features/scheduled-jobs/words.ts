/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  title: 'Scheduled jobs',
  lead: 'Jobs that run at times of the sandbox clock: advance the clock to run those that are due.',
  create: 'Schedule a job',
  job: 'Job',
  schedule: 'Schedule',
  nextRun: 'Next run',
  suspended: 'suspended',
  noFurtherRun: 'none',
  inSpan: 'in ',
  lastRun: 'Last run',
  never: 'never',
  owner: 'Owner',
  active: 'Active',
  activeOf: (name: string) => `Active: ${name}`,
  actions: 'Actions',
  run: 'Run now',
  runOf: (name: string) => `Run ${name} now`,
  remove: 'Delete',
  removeOf: (name: string) => `Delete ${name}`,
  empty: 'No scheduled jobs yet',
  emptyHint:
    'Schedule one here, or let a Hub client do it: hf jobs scheduled run @daily python:3.12 python report.py',
  removeTitle: (name: string) => `Delete the schedule of ${name}?`,
  removeAction: 'Delete scheduled job',
  removeConsequence: 'It does not run again. Jobs that it started stay in the list of jobs.',

  // Dialog
  createTitle: 'Schedule a job',
  user: 'User',
  namespace: 'Owner',
  namespaceHint: 'User or organization; leave empty for the user',
  scheduleHint:
    '@hourly, @daily, @weekly, @monthly, @yearly, or five cron fields in UTC: 0\u00a09\u00a0*\u00a0*\u00a01',
  image: 'Docker image',
  command: 'Command',
  commandHint: 'Words separated by spaces; quotes have no meaning',
  concurrency: 'Runs may overlap',

  // Requests
  created: 'Job scheduled',
  createFailed: 'Could not schedule the job',
  resumed: 'Scheduled job resumed',
  changeFailed: 'Could not change the scheduled job',
  started: 'Job started',
  startFailed: 'Could not start the job',
  removed: 'Scheduled job deleted',
  removeFailed: 'Could not delete the scheduled job',
} as const
