import { isoTime } from '../../core/time.ts'
import {
  RepoConfigUpdatePayload,
  RepoContentUpdatePayload,
  RepoDeletePayload,
  RepoMovePayload,
  RepoUpdatePayload,
} from '../../contract/webhook-payload.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { type FileOperation, commitFiles } from '../../hub/commits/commits.ts'
import type { HubDeps } from '../../hub/hub-deps.ts'
import type { Recipe, Stage } from './recipe.ts'
import { changeBucketFiles } from '../../hub/buckets/bucket-files.ts'
import { storeContent } from '../../hub/buckets/store-content.ts'
import { longestRepoName, repoKey } from '../../hub/files/repo-names.ts'
import { createBranch, createTag, deleteBranch, deleteTag } from '../../hub/commits/repo-refs.ts'
import { deleteRepo, moveRepo, updateRepo, updateRepoSettings } from '../../hub/repos/repos.ts'
import { mainRef } from '../../hub/files/revisions.ts'
import { setSpaceVariable } from '../../hub/spaces/space-environment.ts'
import { own } from '../../core/own.ts'
import type { Visibility } from '../../contract/words/hub-words.ts'

export const repoRecipes: readonly Recipe[] = [
  {
    event: 'repo.delete',
    scope: 'repo',
    action: 'delete',
    title: 'Delete the repo',
    payload: RepoDeletePayload,
    sideEvents: [],
    run: ({ deps, repo, actorId }) => deleteRepo(deps, { repo, actorId }),
  },
  {
    event: 'repo.move',
    scope: 'repo',
    action: 'move',
    title: 'Rename the repo',
    payload: RepoMovePayload,
    sideEvents: [],
    run: ({ deps, repo, actorId }) => {
      moveRepo(deps, { repo, toName: unusedName(deps, repo), actorId })
    },
  },
  {
    event: 'repo.update',
    scope: 'repo',
    action: 'update',
    suits: 'git',
    title: 'Change the description',
    payload: RepoUpdatePayload,
    sideEvents: [],
    run: ({ deps, repo, actorId }) => {
      updateRepo(deps, { repo, description: `Described at ${time(deps)}`, actorId })
    },
  },
  {
    ...content('push', 'Push a commit to main'),
    run: ({ deps, repo, actorId }) => {
      commitFiles(deps, {
        repo,
        revision: 'main',
        operations: [changedFile(deps, repo)],
        title: 'Update activity.txt',
        actorId,
      })
    },
  },
  {
    ...content('branch-create', 'Create a branch'),
    run: ({ deps, repo, actorId }) => {
      createBranch(deps, { repo, name: unusedRef(repo, 'refs/heads/', 'branch'), actorId })
    },
  },
  {
    ...content('branch-delete', 'Delete a branch'),
    run: (stage) => {
      const { deps, actorId } = stage
      const { repo, name } = someRef(stage, 'refs/heads/', createBranch)
      deleteBranch(deps, { repo, name, actorId })
    },
  },
  {
    ...content('tag-create', 'Create a tag'),
    run: ({ deps, repo, actorId }) => {
      createTag(deps, { repo, name: unusedRef(repo, 'refs/tags/', 'v'), actorId })
    },
  },
  {
    ...content('tag-delete', 'Delete a tag'),
    run: (stage) => {
      const { deps, actorId } = stage
      const { repo, name } = someRef(stage, 'refs/tags/', createTag)
      deleteTag(deps, { repo, name, actorId })
    },
  },
  {
    ...content('files', 'Change a file of a bucket'),
    suits: 'bucket',
    run: ({ deps, repo, actorId }) => {
      const { path, content } = changedText(deps, repo)
      changeBucketFiles(deps, {
        bucket: repo,
        changes: [
          {
            kind: 'add',
            path,
            content: storeContent(deps.objects, Buffer.from(content)),
            mtime: deps.clock.now(),
          },
        ],
        actorId,
      })
    },
  },
  {
    ...config('private', 'Make the repo private'),
    run: (stage) => setVisibility(stage, 'private'),
  },
  {
    ...config('public', 'Make the repo public'),
    run: (stage) => setVisibility(stage, 'public'),
  },
  {
    ...config('other', 'Change another setting (Space variable or DOI)'),
    suits: 'git',
    run: ({ deps, repo, actorId }) => {
      const id = deps.ids.of('trigger', repo.id).objectId()
      if (repo.type === 'space') {
        setSpaceVariable(deps, { repo, actorId, key: 'LAST_CHANGE', value: `${time(deps)} ${id}` })
        return
      }
      const doi = `10.57967/hf/${Number.parseInt(id.slice(0, 8), 16)}`
      updateRepoSettings(deps, { repo, settings: { doi }, actorId })
    },
  },
]

/** Returns a file with content that differs from all earlier commits. */
export function changedFile(deps: HubDeps, repo: Repo, path = 'activity.txt'): FileOperation {
  return { kind: 'add', ...changedText(deps, repo, path) }
}

function changedText(deps: HubDeps, repo: Repo, path = 'activity.txt') {
  const id = deps.ids.of('trigger', repo.id).objectId()
  return { path, content: `Changed at ${time(deps)} (${id}).\n` }
}

function content(kind: string, title: string): Omit<Recipe, 'run'> {
  return {
    event: 'repo.content',
    scope: 'repo.content',
    action: 'update',
    kind,
    title,
    payload: RepoContentUpdatePayload,
    suits: 'git',
    sideEvents: [],
  }
}

function config(kind: string, title: string): Omit<Recipe, 'run'> {
  return {
    event: 'repo.config',
    scope: 'repo.config',
    action: 'update',
    kind,
    title,
    payload: RepoConfigUpdatePayload,
    sideEvents: [],
  }
}

/** Sets the visibility; if it is already so, first sets the opposite, so that there is a change. */
function setVisibility(
  { deps, preparing, repo, actorId }: Stage,
  visibility: Exclude<Visibility, 'protected'>,
): void {
  const other = visibility === 'private' ? 'public' : 'private'
  const isPrivate = repo.visibility !== 'public'
  const before =
    isPrivate === (visibility === 'private')
      ? updateRepoSettings(preparing, { repo, settings: { visibility: other }, actorId })
      : repo
  updateRepoSettings(deps, { repo: before, settings: { visibility }, actorId })
}

/** Returns the newest ref of a kind except main, or creates one. */
function someRef(
  { preparing, repo, actorId }: Stage,
  prefix: string,
  create: (deps: HubDeps, input: { repo: Repo; name: string; actorId: string }) => Repo,
): { repo: Repo; name: string } {
  const existing = Object.keys(repo.refs).findLast(
    (ref) => ref.startsWith(prefix) && ref !== mainRef,
  )
  if (existing !== undefined) return { repo, name: existing.slice(prefix.length) }
  const name = prefix === 'refs/tags/' ? 'v1' : 'branch-1'
  return { repo: create(preparing, { repo, name, actorId }), name }
}

function unusedRef(repo: Repo, prefix: string, stem: string): string {
  const separator = stem === 'v' ? '' : '-'
  return firstUnused(
    (count) => `${stem}${separator}${count}`,
    (name) => own(repo.refs, prefix + name) !== undefined,
  )
}

function unusedName({ state }: HubDeps, repo: Repo): string {
  const [namespace = '', name = ''] = repo.name.replace(/-moved(-\d+)?$/, '').split('/')
  return firstUnused(
    (count) => `${namespace}/${withEnding(name, count === 1 ? '-moved' : `-moved-${count}`)}`,
    (name) => state.repos.find('name', repoKey(repo.type, name)) !== undefined,
  )
}

/** Shortens a long name for the ending, without a dot or hyphen before it. */
function withEnding(name: string, ending: string): string {
  return name.slice(0, longestRepoName - ending.length).replace(/[.-]+$/, '') + ending
}

function firstUnused(nameOf: (count: number) => string, isUsed: (name: string) => boolean): string {
  let count = 1
  while (isUsed(nameOf(count))) count += 1
  return nameOf(count)
}

function time(deps: HubDeps): string {
  return isoTime(deps.clock.now())
}
