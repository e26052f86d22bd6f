import type { Job, JobSpec } from '../../state/entities/webhooks.ts'
import type { State } from '../../state/state.ts'
import { isOver } from './job-stage.ts'

type JobState = Pick<State, 'jobs' | 'jobLogs'>

/** Limit of finished jobs; jobs of deliveries are kept as long as their deliveries. */
const keptJobs = 1000
/** Limit of their specs together, as JSON. */
const keptSpecBytes = 32 * 1024 * 1024

/** Specs never change. */
const specBytes = new WeakMap<JobSpec, number>()

/** Deletes a job and its log. */
export function dropJob({ jobs, jobLogs }: JobState, jobId: string): void {
  for (const log of jobLogs.group('job', jobId)) jobLogs.delete(log.id)
  jobs.delete(jobId)
}

/** Deletes the oldest finished jobs beyond the limits. */
export function dropOldJobs(state: JobState): void {
  const jobs = state.jobs.group('asked', 'yes')
  let excess = jobs.length - keptJobs
  let excessBytes = jobs.reduce((sum, job) => sum + bytesOf(job), 0) - keptSpecBytes
  for (const job of jobs) {
    if (excess <= 0 && excessBytes <= 0) return
    if (!isOver(job)) continue
    dropJob(state, job.id)
    excess -= 1
    excessBytes -= bytesOf(job)
  }
}

function bytesOf({ spec }: Job): number {
  const known = specBytes.get(spec) ?? JSON.stringify(spec).length
  specBytes.set(spec, known)
  return known
}
