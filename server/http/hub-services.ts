import type { ServerDeps } from './server-deps.ts'

/** What the routes of the Hub use: the emulated service, without what only a sandbox has. */
export type HubServices = Pick<
  ServerDeps,
  | 'settings'
  | 'clock'
  | 'ids'
  | 'state'
  | 'objects'
  | 'bus'
  | 'keys'
  | 'polls'
  | 'guesses'
  | 'git'
  | 'lfs'
  | 'xet'
  | 'bucketFeed'
  | 'jobs'
  | 'scheduledJobs'
  | 'engine'
  | 'frames'
  | 'closers'
  | 'fixtures'
  | 'committed'
>
