import type { Job } from '../../store/entities/webhook-entities.ts'
import type { State } from '../../store/state.ts'
import { isOver } from './job-stage.ts'

type JobState = Pick<State, 'jobs' | 'jobLogs'>

/** Limit of jobs; jobs of deliveries are kept as long as their deliveries. */
const keptJobs = 1000
/** Limit of the specs and logs of finished jobs together. */
const keptBytes = 64 * 1024 * 1024
/** Memory for a line of a log besides its text. */
const lineBytes = 400

/** Finished jobs do not change. */
const sizes = new WeakMap<Job, number>()

/** Deletes a job and its log. */
export function dropJob({ jobs, jobLogs }: JobState, jobId: string): void {
  for (const log of jobLogs.group('job', jobId)) jobLogs.delete(log.id)
  jobs.delete(jobId)
}

/** Deletes the oldest finished jobs beyond the limits. */
export function dropOldJobs(state: JobState): void {
  const jobs = state.jobs.group('asked', 'yes')
  const finished = jobs.filter((job) => isOver(job))
  let excess = jobs.length - keptJobs
  let excessBytes = finished.reduce((sum, job) => sum + bytesOf(state, job), 0) - keptBytes
  for (const job of finished) {
    if (excess <= 0 && excessBytes <= 0) return
    excess -= 1
    excessBytes -= bytesOf(state, job)
    dropJob(state, job.id)
  }
}

function bytesOf({ jobLogs }: JobState, job: Job): number {
  const known = sizes.get(job)
  if (known !== undefined) return known
  let bytes = JSON.stringify(job.spec).length
  for (const { lines } of jobLogs.group('job', job.id)) {
    for (const { text } of lines) bytes += text.length + lineBytes
  }
  sizes.set(job, bytes)
  return bytes
}
