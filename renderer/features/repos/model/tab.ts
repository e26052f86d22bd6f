import type { RepoDetail } from '../../../../server/contract/control-repos.ts'
import type { RepoPlace } from './content-requests.ts'

/** What each part of the page of a repo is given. */
export interface TabProps {
  place: RepoPlace
  repo: RepoDetail
  /** Username of who does what is done there. */
  actor: string
}
