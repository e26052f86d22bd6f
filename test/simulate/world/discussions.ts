import type { KnownRepo, Standing } from './facts.ts'

export type Status = 'draft' | 'open' | 'closed' | 'merged'

export interface KnownComment {
  readonly id: string
  text: string
  isHidden: boolean
  readonly reactions: Set<string>
  /** Events of the scheduler before it was sent, and before it was confirmed. */
  readonly sentAt: number
  readonly confirmedAt: number
  changedAt: number
  /** Whether a change of it has no response. */
  isUnsure: boolean
}

/** Discussion or pull request that a client has opened; one change of its title and status at a time. */
export class Discussion {
  readonly id: string
  repo: KnownRepo
  readonly num: number
  readonly isPullRequest: boolean
  /** Branch into which it is merged. */
  readonly base: string
  isRefDeleted = false
  title: string
  status: Status
  /** File of a pull request that has one; its path is nowhere else. */
  readonly file: { readonly path: string; readonly text: string } | undefined
  standing: Standing = 'live'
  comments: KnownComment[] = []
  /** Increased before and after each change. */
  changes = 0
  isChanging = false
  changedAt: number

  constructor(
    about: Pick<
      Discussion,
      'id' | 'repo' | 'num' | 'isPullRequest' | 'base' | 'title' | 'status' | 'file' | 'changedAt'
    >,
  ) {
    this.id = about.id
    this.repo = about.repo
    this.num = about.num
    this.isPullRequest = about.isPullRequest
    this.base = about.base
    this.title = about.title
    this.status = about.status
    this.file = about.file
    this.changedAt = about.changedAt
  }

  get name(): string {
    return `${this.repo.path}#${this.num}`
  }
}

/** Everything that clients know of discussions. */
export class Discussions {
  all: Discussion[] = []
  /** Discussions that were deleted, or may have been: `repo id/number`. */
  readonly deleted = new Set<string>()

  /** After a power cut: what was confirmed since a time may be lost. */
  doubt(since: number): void {
    for (const discussion of this.all) {
      if (discussion.changedAt > since) discussion.standing = 'unsure'
      discussion.comments = discussion.comments.filter(({ changedAt }) => changedAt <= since)
    }
  }
}
