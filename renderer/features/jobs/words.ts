/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  job: 'Job',
  stage: 'Stage',
  command: 'Command',
  owner: 'Owner',
  hardware: 'Hardware',
  created: 'Created',
  jobs: 'Jobs',
  lead: 'Jobs of webhooks and the jobs API. Recorded; run only with --run-jobs.',
  noJobsYet: 'No jobs yet',
  emptyHint:
    'A webhook can start a job instead of sending a request, and Hub clients can run jobs. To execute them, start the sandbox with --run-jobs IMAGE=COMMAND.',
  recordedBadge: 'recorded (not run)',
  exitCode: (code: number) => `exit code ${code}`,
  jobCancelled: 'Job cancelled',
  cancelFailed: 'Could not cancel the job',
  cancelJob: 'Cancel job',
  message: 'Message',
  image: 'Image',
  space: 'Space',
  startedBy: 'Started by',
  environment: 'Environment',
  output: 'Output',
} as const
