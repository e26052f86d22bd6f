import type { Job } from '../../state/entities/webhooks.ts'
import { openJobStages } from '../../contract/words/jobs.ts'

export function isOver({ stage }: Pick<Job, 'stage'>): boolean {
  return !openJobStages.some((open) => open === stage)
}
