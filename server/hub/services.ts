import type { ServerDeps } from '../lab/server-deps.ts'

/** Services that the routes of the Hub use. Routes of the control API get all services. */
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
