import type { Job } from '../../store/entities/webhook-entities.ts'
import { openJobStages } from '../../contract/words/job-words.ts'

export function isOver({ stage }: Pick<Job, 'stage'>): boolean {
  return !openJobStages.some((open) => open === stage)
}
