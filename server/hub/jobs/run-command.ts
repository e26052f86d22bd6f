import type { Settings } from '../../core/settings.ts'
import type { JobSpec } from '../../store/entities/webhook-entities.ts'

/** Returns the command of `--run-jobs` for a job; absent: the job is only recorded. */
export function commandOf(
  { runJobs }: Pick<Settings, 'runJobs'>,
  spec: Pick<JobSpec, 'dockerImage' | 'spaceId'>,
): string | undefined {
  return runJobs.get(imageOf(spec)) ?? runJobs.get('*')
}

/** Says how to run jobs that are only recorded. */
export function howToRun(spec: Pick<JobSpec, 'dockerImage' | 'spaceId'>): string {
  return `Start the sandbox with --run-jobs ${imageOf(spec)}=COMMAND to run it.`
}

function imageOf({ dockerImage, spaceId }: Pick<JobSpec, 'dockerImage' | 'spaceId'>): string {
  return dockerImage ?? spaceId ?? ''
}
