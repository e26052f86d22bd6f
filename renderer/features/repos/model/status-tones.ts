import type { RepoDetail } from '../../../../server/contract/control-repos.ts'
import type { Tone } from '../../../ui/badge.tsx'

export const statusTones: Record<RepoDetail['discussionList'][number]['status'], Tone> = {
  open: 'ok',
  draft: 'neutral',
  closed: 'bad',
  merged: 'accent',
}
