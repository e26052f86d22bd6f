import type { State } from '../../state/state.ts'
import { isOver } from './job-stage.ts'

type JobState = Pick<State, 'jobs' | 'jobLogs'>

/** Limit of finished jobs; jobs of deliveries are kept as long as their deliveries. */
const keptJobs = 1000

/** Deletes a job and its log. */
export function dropJob({ jobs, jobLogs }: JobState, jobId: string): void {
  for (const log of jobLogs.group('job', jobId)) jobLogs.delete(log.id)
  jobs.delete(jobId)
}

/** Deletes the oldest finished jobs beyond the limit. */
export function dropOldJobs(state: JobState): void {
  const excess = state.jobs.groupSize('asked', 'yes') - keptJobs
  if (excess <= 0) return
  const over = state.jobs.group('asked', 'yes').filter(isOver)
  for (const { id } of over.slice(0, excess)) dropJob(state, id)
}
