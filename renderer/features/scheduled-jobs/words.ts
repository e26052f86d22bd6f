/** Texts that several places of this feature share. */
export const words = {
  // Page
  title: 'Scheduled jobs',
  create: 'Schedule a job',
  schedule: 'Schedule',
  emptyHint: 'Schedule one here, or let a Hub client do it:',
  example: 'hf jobs scheduled run @daily python:3.12 python report.py',

  // Dialog
  scheduleHint:
    '@hourly, @daily, @weekly, @monthly, @yearly, or five cron fields in UTC: 0\u00a09\u00a0*\u00a0*\u00a01',
} as const
