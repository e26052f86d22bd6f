import {
  commitFiles,
  type CommitInput,
  type FileOperation,
} from '../../server/hub/commits/commits.ts'
import { commitAsPullRequest } from '../../server/hub/discussions/pull-requests.ts'
import type { HubEvent } from '../../server/hub/events/hub-event.ts'
import { createRepo, type CreateRepoInput } from '../../server/hub/repos/repos.ts'
import type { Discussion, Repo } from '../../server/store/entities/hub-entities.ts'
import type { TestWorld } from './deps.ts'

/** Contents by path, or operations for all else. */
type Files = Record<string, string | Uint8Array> | CommitInput['operations']
type Commit = CommitInput & { actorId: string }
type CommitDetails = Partial<Omit<Commit, 'repo' | 'operations'>>

/** Acts of alice without a request, and what has become of the repos. */
export interface WorldRepos {
  /** Creates a repo, by default a model. */
  readonly makeRepo: (
    name: string,
    more?: Partial<Omit<CreateRepoInput, 'files'>> & {
      files?: Record<string, string | Uint8Array>
    },
  ) => Repo
  /** Returns a repo as it is now. */
  readonly latest: (repo: Repo) => Repo
  /** Returns the commit of a ref; an empty string without one. */
  readonly head: (repo: Repo, ref?: string) => string
  /** Commits files, by default to `main`. @returns the id of the commit */
  readonly commit: (repo: Repo, files: Files, more?: CommitDetails) => string
  /** Opens a pull request with files, by default for `main`. */
  readonly propose: (repo: Repo, files: Files, more?: CommitDetails) => Discussion
  /** Returns the events of the hub, the oldest first. */
  readonly hubEvents: () => HubEvent[]
}

export function createWorldRepos({ deps, state, users, events }: TestWorld): WorldRepos {
  const actorId = users.alice.id
  const latest = (repo: Repo) => state.repos.get(repo.id) ?? repo
  const change = (repo: Repo, files: Files, more: CommitDetails = {}): Commit => ({
    repo: latest(repo),
    revision: 'main',
    title: 'Change files',
    operations: Array.isArray(files) ? files : additions(files as Record<string, string>),
    actorId,
    ...more,
  })
  return {
    makeRepo: (name, { files, ...more } = {}) =>
      createRepo(deps, {
        type: 'model',
        name,
        actorId,
        ...more,
        ...(files !== undefined && { files: additions(files) }),
      }),
    latest,
    head: (repo, ref = 'refs/heads/main') => latest(repo).refs[ref] ?? '',
    commit: (...args) => commitFiles(deps, change(...args)).commit.id,
    propose: (...args) => commitAsPullRequest(deps, change(...args)).discussion,
    hubEvents: () => events.flatMap((entry) => (entry.type === 'hub.event' ? [entry.data] : [])),
  }
}

function additions(files: Record<string, string | Uint8Array>): FileOperation[] {
  return Object.entries(files).map(([path, content]) => ({ kind: 'add', path, content }))
}
