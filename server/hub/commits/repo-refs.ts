import type { Repo } from '../../store/entities/hub-entities.ts'
import { emitHubEvent } from './emit-hub-event.ts'
import {
  type Commit,
  emailOf,
  type ObjectStore,
  readCommit,
  type TagAnnotation,
  writeCommit,
  writeTag,
  writeTree,
} from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { findActor } from '../../store/system-user.ts'
import { checkMessage } from './commit-message.ts'
import { Refusal } from '../../core/refusal.ts'
import { RefRoom } from './ref-room.ts'
import type { UpdatedRef } from '../events/hub-event.ts'
import { recordPullRequestCommit, requirePullRequestOpen } from './pull-request-commits.ts'
import {
  commitOfRef,
  mainRef,
  refNames,
  refTarget,
  resolveRevision,
  revisionNotFound,
} from '../files/revisions.ts'
import { own } from '../../core/own.ts'

export interface RefInfo {
  name: string
  ref: string
  targetCommit: string
}

/**
 * Points refs at commits and stores the repo; the caller emits the event.
 * @param targets full ref name to commit id, or null to remove the ref
 * @returns `updatedRefs`: refs that pointed elsewhere before
 */
export function moveRefs(
  deps: Pick<HubDeps, 'state' | 'clock' | 'objects'>,
  repo: Repo,
  targets: Readonly<Record<string, string | null>>,
): { repo: Repo; updatedRefs: UpdatedRef[] } {
  const refs = new Map(Object.entries(repo.refs))
  const updatedRefs = Object.entries(targets)
    .map(([ref, newSha]): UpdatedRef => ({ ref, oldSha: refs.get(ref) ?? null, newSha }))
    .filter(({ oldSha, newSha }) => oldSha !== newSha)
  if (updatedRefs.length === 0) return { repo, updatedRefs }
  for (const { ref, newSha } of updatedRefs) {
    if (newSha === null) refs.delete(ref)
    else refs.set(ref, newSha)
  }
  if (updatedRefs.some((ref) => leavesObjects(deps.objects.of(repo), ref))) {
    deps.objects.noteUnreachable(repo)
  }
  const moved = { ...repo, refs: Object.fromEntries(refs), updatedAt: deps.clock.now() }
  return { repo: deps.state.repos.put(moved), updatedRefs }
}

/** Checks whether a ref was deleted, or may have moved to a commit without the one before. */
function leavesObjects(objects: ObjectStore, { oldSha, newSha }: UpdatedRef): boolean {
  if (oldSha === null) return false
  if (newSha === null) return true
  const { type } = objects.read(newSha)
  return type !== 'commit' || !readCommit(objects, newSha).parentIds.includes(oldSha)
}

/** Calls {@link moveRefs}, then emits an event unless no ref has changed. */
export function moveRefsAndTell(
  deps: HubDeps,
  repo: Repo,
  targets: Readonly<Record<string, string | null>>,
  actorId: string | undefined,
): Repo {
  const moved = moveRefs(deps, repo, targets)
  if (moved.updatedRefs.length === 0) return repo
  emitHubEvent(deps, moved.repo, {
    scope: 'repo.content',
    action: 'update',
    actorId,
    updatedRefs: moved.updatedRefs,
  })
  return moved.repo
}

export interface BranchInput {
  repo: Repo
  name: string
  actorId?: string
}

/**
 * Creates a branch.
 * @param input starts at `startingPoint`, by default at main; with `emptyBranch` at a commit without files; `overwrite`
 *   moves an existing branch to one of these, and otherwise leaves it
 * @throws {Refusal} `invalid` for a name that git refuses, `not_found` `RevisionNotFound`, `conflict` when it exists or
 *   conflicts with another ref
 */
export function createBranch(
  deps: HubDeps,
  input: BranchInput & { startingPoint?: string; emptyBranch?: boolean; overwrite?: boolean },
): Repo {
  const { repo, name, actorId } = input
  if (!isRefName(name)) throw new Refusal('invalid', `Invalid reference for a branch: ${name}`)
  const ref = `refs/heads/${name}`
  if (own(repo.refs, ref) !== undefined) {
    if (input.overwrite !== true) throw refExists(ref)
    if (input.startingPoint === undefined && input.emptyBranch !== true) return repo
  } else requireRoom(repo, ref)
  const target =
    input.emptyBranch === true
      ? writeEmptyCommit(deps, repo)
      : resolveRevision(deps.objects.of(repo), repo, input.startingPoint ?? mainRef).commit
  return moveRefsAndTell(deps, repo, { [ref]: target.id }, actorId)
}

/** @throws {Refusal} `invalid` for main, `not_found` `RevisionNotFound` */
export function deleteBranch(deps: HubDeps, { repo, name, actorId }: BranchInput): Repo {
  const ref = `refs/heads/${name}`
  if (ref === mainRef) {
    throw new Refusal('invalid', `Cannot delete ${ref}`, { detail: 'a repo keeps its main branch' })
  }
  if (own(repo.refs, ref) === undefined) throw revisionNotFound(name, repo)
  return moveRefsAndTell(deps, repo, { [ref]: null }, actorId)
}

/**
 * Creates a tag. Its event names the commit, also for a tag that is an object.
 * @param input an `annotation`, or a `message` that is not blank, creates a tag object
 * @throws {Refusal} `not_found` `RevisionNotFound`, `invalid` for a name that git refuses, `conflict` if the tag or a
 *   conflicting ref exists
 */
export function createTag(
  deps: HubDeps,
  {
    repo,
    name,
    revision = mainRef,
    actorId,
    message = '',
    annotation = annotationOf(deps, actorId, message),
  }: BranchInput & { revision?: string; message?: string; annotation?: TagAnnotation | undefined },
): Repo {
  const objects = deps.objects.of(repo)
  // The hub looks the revision up before it checks the name.
  const { commit } = resolveRevision(objects, repo, revision)
  if (!isRefName(name)) throw new Refusal('invalid', `Invalid reference for a tag: ${name}`)
  const ref = `refs/tags/${name}`
  if (own(repo.refs, ref) !== undefined) throw refExists(ref)
  requireRoom(repo, ref)
  const target = annotation === undefined ? commit.id : writeTag(objects, name, commit, annotation)
  const moved = moveRefs(deps, repo, { [ref]: target })
  tellTag(deps, moved.repo, { ref, oldSha: null, newSha: commit.id }, actorId)
  return moved.repo
}

/** Describes a tag that a user gives a message, by the user's name and the address of commits. */
function annotationOf(
  deps: Pick<HubDeps, 'state' | 'clock'>,
  actorId: string | undefined,
  message: string,
): TagAnnotation | undefined {
  checkMessage('message', message)
  if (message.trim() === '') return undefined
  const who = author(deps, actorId)
  return {
    message,
    tagger: { name: who.authorName, email: emailOf(who) },
    date: deps.clock.now(),
  }
}

function tellTag(
  deps: HubDeps,
  repo: Repo,
  updatedRef: UpdatedRef,
  actorId: string | undefined,
): void {
  const updatedRefs = [updatedRef]
  emitHubEvent(deps, repo, { scope: 'repo.content', action: 'update', actorId, updatedRefs })
}

/** @throws {Refusal} `not_found` `RevisionNotFound` */
export function deleteTag(deps: HubDeps, { repo, name, actorId }: BranchInput): Repo {
  const ref = `refs/tags/${name}`
  if (own(repo.refs, ref) === undefined) throw revisionNotFound(name, repo)
  const oldSha = commitOfRef(deps.objects.of(repo), repo, ref)
  const moved = moveRefs(deps, repo, { [ref]: null })
  tellTag(deps, moved.repo, { ref, oldSha, newSha: null }, actorId)
  return moved.repo
}

/**
 * Replaces the history of a branch or a pull request by one commit with the same files.
 * @param input `ref`: full name; `message`: absent or blank = one that says what was done
 * @throws {Refusal} `not_found` `RevisionNotFound` when there is no such ref, `conflict` for a closed pull request,
 *   `invalid` for a message that git cannot keep
 */
export function squashRef(
  deps: HubDeps,
  input: { repo: Repo; ref: string; actorId?: string; message?: string },
): Repo {
  const { repo, ref, actorId, message = '' } = input
  checkMessage('message', message)
  const pullRequest = requirePullRequestOpen(deps, repo, ref)
  const objects = deps.objects.of(repo)
  const head = readCommit(objects, refTarget(repo, ref))
  const squashed = writeCommit(objects, {
    treeId: head.treeId,
    parentIds: [],
    title: message.trim() || `Super-squash branch '${ref.replace(/^refs\/heads\//, '')}'`,
    message: '',
    ...author(deps, actorId),
    date: deps.clock.now(),
  })
  if (pullRequest !== undefined) recordPullRequestCommit(deps, pullRequest, squashed)
  return moveRefsAndTell(deps, repo, { [ref]: squashed.id }, actorId)
}

/** Returns the author of a commit: a user by the present username, or the hub itself. */
export function author(
  { state }: Pick<HubDeps, 'state'>,
  userId: string | undefined,
): Pick<Commit, 'authorId' | 'authorName'> {
  const user = userId === undefined ? undefined : findActor(state, userId)
  return user === undefined
    ? { authorName: 'system' }
    : { authorId: user.id, authorName: user.username }
}

/** Lists the refs of a repo by kind, as the hub does: tags with their commit, `converts` always empty. */
export function listRefs(
  objects: ObjectStore,
  repo: Repo,
): Record<'branches' | 'tags' | 'pullRequests' | 'converts', RefInfo[]> {
  const below = (prefix: string) =>
    refNames(repo, prefix).map((name) => {
      const ref = prefix + name
      return { name, ref, targetCommit: commitOfRef(objects, repo, ref) }
    })
  return {
    branches: below('refs/heads/'),
    tags: below('refs/tags/'),
    pullRequests: below('refs/pr/').map((info) => ({ ...info, name: info.ref })),
    converts: [],
  }
}

/** In a clone each part of a ref is a file or a folder, and git creates a file with `.lock` added beside it. */
const longestPart = 250

/**
 * Checks a short ref name by the rules of `git check-ref-format`. Names that start with `refs/` are ambiguous and invalid,
 * and so are names that no clone could store: too long for a file name, or not UTF-8.
 */
export function isRefName(name: string): boolean {
  return (
    name.split('/').every((part) => Buffer.byteLength(part) <= longestPart) &&
    !/\p{Cs}/u.test(name) &&
    !name.startsWith('refs/') &&
    name !== 'HEAD' &&
    // oxlint-disable-next-line no-control-regex -- git forbids control characters in ref names
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^\.|^-/.test(name) &&
    !/(\.lock)(\/|$)|[/.]$|^\/|^@?$/.test(name)
  )
}

function writeEmptyCommit(deps: Pick<HubDeps, 'objects' | 'clock'>, repo: Repo): Commit {
  const objects = deps.objects.of(repo)
  return writeCommit(objects, {
    treeId: writeTree(objects, []).id,
    parentIds: [],
    title: 'initial commit',
    message: '',
    authorName: 'system',
    date: deps.clock.now(),
  })
}

/** Refuses a conflicting ref as invalid: some clients accept a conflict as "already exists". */
function requireRoom(repo: Repo, ref: string): void {
  const clash = new RefRoom(Object.keys(repo.refs)).findClash(ref)
  if (clash === undefined) return
  throw new Refusal('invalid', `Cannot create reference ${ref}: it conflicts with ${clash}`, {
    detail: `git stores refs as files and folders, so ${ref} cannot exist beside it`,
  })
}

function refExists(ref: string): Refusal {
  return new Refusal('conflict', `Reference ${ref} already exists`)
}
