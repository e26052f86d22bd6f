import type { Job } from '../state/entities/webhooks.ts'

export function isOver({ stage }: Pick<Job, 'stage'>): boolean {
  return stage !== 'SCHEDULING' && stage !== 'RUNNING'
}
