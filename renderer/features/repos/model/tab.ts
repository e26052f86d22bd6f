import type { RepoDetail } from '../../../../server/contract/control-repos.ts'
import type { RepoPlace } from './content-requests.ts'

/** Props of each tab of the repo page. */
export interface TabProps {
  place: RepoPlace
  repo: RepoDetail
  /** User who performs the actions. */
  actor: string
}
