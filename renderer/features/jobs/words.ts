/** Texts that several places of this feature share. */
export const words = {
  // Page
  job: 'Job',
  stage: 'Stage',
  command: 'Command',
  owner: 'Owner',
  hardware: 'Hardware',
  jobs: 'Jobs',
  emptyHint:
    'A webhook can start a job instead of sending a request, and Hub clients can run jobs. To execute them, start the sandbox with --run-jobs IMAGE=COMMAND.',
  environment: 'Environment',
  output: 'Output',
} as const
