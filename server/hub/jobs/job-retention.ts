import type { State } from '../../state/state.ts'
import { isOver } from './job-stage.ts'

type JobState = Pick<State, 'jobs' | 'jobLogs'>

/** Those of deliveries are kept as long as their deliveries. */
const keptJobs = 1000

/** Forgets a job with all it printed. */
export function dropJob({ jobs, jobLogs }: JobState, jobId: string): void {
  for (const log of jobLogs.group('job', jobId)) jobLogs.delete(log.id)
  jobs.delete(jobId)
}

/** Forgets the oldest jobs that were asked for and are over, once there are too many. */
export function dropOldJobs(state: JobState): void {
  const excess = state.jobs.groupSize('asked', 'yes') - keptJobs
  if (excess <= 0) return
  const over = state.jobs.group('asked', 'yes').filter(isOver)
  for (const { id } of over.slice(0, excess)) dropJob(state, id)
}
