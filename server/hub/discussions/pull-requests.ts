import type { Discussion, Repo } from '../../store/entities/hub-entities.ts'
import { type CommitInput, takeDraft, writeChange } from '../commits/commits.ts'
import {
  addComment,
  addDiscussion,
  type DiscussionInput,
  noteEvent,
  type OpenDiscussionInput,
  requireDiscussionsOf,
  requireRepo,
  emitOpened,
  emitUpdated,
} from './discussions.ts'
import { type Comment, emitHubEvent } from '../commits/emit-hub-event.ts'
import { type Commit, type ObjectStore, readCommit, writeCommit } from '../files/git-objects.ts'
import { findMergeBase } from '../files/history.ts'
import type { HubDeps } from '../hub-deps.ts'
import { titleLength } from '../../contract/fixtures/limits.ts'
import { beginningOf } from '../../core/encode-text.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { pullRequestRef, recordPullRequestCommit } from '../commits/pull-request-commits.ts'
import { author, moveRefs, moveRefsAndTell } from '../commits/repo-refs.ts'
import {
  mainRef,
  refTarget,
  requireWritableRef,
  resolveRevision,
  revisionNotFound,
} from '../files/revisions.ts'
import {
  editTree,
  findPath,
  type TreeFile,
  diffTrees,
  findPaths,
  type PathEntry,
} from '../files/trees.ts'
import type { DiscussionStatus } from '../../contract/words/hub-words.ts'

export interface OpenedPullRequest {
  repo: Repo
  discussion: Discussion
  comment: Comment
}

/**
 * Opens a pull request as a draft without commits; emits events for its ref and for it.
 * @param input `base`: full name of the target branch, by default main
 * @throws {Refusal} `invalid` as `openDiscussion`, `not_found` `RevisionNotFound` when the base is not a branch
 */
export function openPullRequest(
  deps: HubDeps,
  input: OpenDiscussionInput & { base?: string },
): OpenedPullRequest {
  const base = requireBranch(input.repo, input.base ?? mainRef)
  return open(deps, { ...input, base, status: 'draft' }, refTarget(input.repo, base))
}

/**
 * Commits to a new, open pull request instead of the branch (`create_pr=1`).
 * @param input `revision` is the target branch; `parentCommit` the commit to build on, by default the branch's head
 * @throws {Refusal} `not_found` `RevisionNotFound` when the revision is not a branch, else as `commitFiles`
 */
export function commitAsPullRequest(
  deps: HubDeps,
  input: CommitInput & { actorId: string },
): OpenedPullRequest & { commit: Commit; ref: string } {
  const { repo, actorId, title, description } = input
  requireDiscussionsOf(repo)
  const { base, parentId } = requireParent(deps, input)
  const commit = takeDraft(input, parentId) ?? writeChange(deps, repo, parentId, input)
  const opened = open(
    deps,
    { repo, title: fitTitle(title), actorId, base, status: 'open', ...given({ description }) },
    commit.id,
    commit,
  )
  return { ...opened, commit, ref: pullRequestRef(opened.discussion.num) }
}

/**
 * Writes the commit of {@link commitAsPullRequest} without a ref, as `draftCommit`.
 * @throws {Refusal} as {@link commitAsPullRequest}
 */
export function draftForPullRequest(deps: HubDeps, input: CommitInput): Commit {
  return writeChange(deps, input.repo, requireParent(deps, input).parentId, input)
}

export interface MergeInput extends DiscussionInput {
  comment?: string
  /** Result of {@link draftMerge}; used while neither the base nor the pull request has moved. */
  draft?: MergeDraft
}

/**
 * Merges a pull request into its base: a fast-forward if the base has not moved, else a merge commit. Emits events for the
 * comment, the pull request and the base, in this order.
 * @throws {Refusal} `invalid` for a plain discussion, a draft, or no changes; `conflict` when it is closed or merged, and
 *   for conflicts, with `filesWithConflicts` in the body
 */
export function mergePullRequest(
  deps: HubDeps,
  input: MergeInput,
): { repo: Repo; discussion: Discussion; commit: Commit } {
  const { discussion, actorId } = input
  const repo = requireRepo(deps, discussion.repoId)
  const base = requireMergeable(discussion)
  const merge = current(input.draft, repo, discussion) ?? draftMerge(deps, discussion)
  if (merge.conflicts.length > 0) {
    throw new Refusal('conflict', `Merge conflicts in ${merge.conflicts.join(', ')}`, {
      facts: { filesWithConflicts: merge.conflicts },
      detail: `these files changed on ${base} too since the pull request branched off`,
    })
  }
  if (merge.baseId === merge.headId || merge.commonId === merge.headId) {
    throw new Refusal('invalid', 'This pull request has no changes to merge')
  }
  if (input.comment !== undefined) addComment(deps, { ...input, content: input.comment })
  const { treeId } = merge
  const commit =
    treeId === undefined
      ? readCommit(deps.objects.of(repo), merge.headId)
      : writeMergeCommit(deps, repo, { ...merge, treeId }, input)
  const merged = deps.state.discussions.put({
    ...discussion,
    status: 'merged',
    mergeCommitId: commit.id,
  })
  noteEvent(deps, input, { type: 'status-change', status: 'merged' })
  const { repo: after, updatedRefs } = moveRefs(deps, repo, { [base]: commit.id })
  emitUpdated(deps, merged, actorId)
  emitHubEvent(deps, after, { scope: 'repo.content', action: 'update', actorId, updatedRefs })
  return { repo: after, discussion: merged, commit }
}

/**
 * Merges as {@link mergePullRequest} when the files are on disk, before the base points to them.
 * @param find returns the input; called again then, because the pull request may have changed meanwhile
 * @throws {Refusal} as {@link mergePullRequest}
 */
export async function mergeWhenWritten(
  deps: HubDeps & { objects: { written(): Promise<void> | undefined } },
  find: () => Omit<MergeInput, 'draft'>,
): Promise<Discussion> {
  const draft = draftMerge(deps, find().discussion)
  await deps.objects.written()
  return mergePullRequest(deps, { ...find(), draft }).discussion
}

/**
 * Writes the files of a merge without moving a ref.
 * @throws {Refusal} as {@link mergePullRequest} when it cannot be merged, except for conflicts
 */
export function draftMerge(
  deps: Pick<HubDeps, 'state' | 'objects'>,
  discussion: Discussion,
): MergeDraft {
  requireMergeable(discussion)
  const repo = requireRepo(deps, discussion.repoId)
  const plan = planMerge(deps, repo, discussion)
  const { baseId, headId, commonId, conflicts, changes } = plan
  if (conflicts.length > 0 || commonId === headId || commonId === baseId) return plan
  const objects = deps.objects.of(repo)
  const { treeId } = readCommit(objects, baseId)
  return { ...plan, treeId: editTree(objects, treeId, changes).id }
}

/** @returns the draft unless a ref has moved since */
function current(
  draft: MergeDraft | undefined,
  repo: Repo,
  { num, base = mainRef }: Discussion,
): MergeDraft | undefined {
  const isCurrent =
    draft?.baseId === refTarget(repo, base) && draft.headId === refTarget(repo, pullRequestRef(num))
  return isCurrent ? draft : undefined
}

/** Lists the conflicting files of an unmerged pull request. */
export function listConflicts(
  deps: Pick<HubDeps, 'state' | 'objects'>,
  discussion: Discussion,
): string[] {
  const { isPullRequest, status, headCommitId, repoId, base = mainRef } = discussion
  // Without its ref it cannot be merged anymore.
  if (!isPullRequest || status === 'merged' || headCommitId !== undefined) return []
  const repo = requireRepo(deps, repoId)
  // Nor without its base, until that is created again.
  return own(repo.refs, base) === undefined ? [] : planMerge(deps, repo, discussion).conflicts
}

interface MergePlan {
  baseId: string
  headId: string
  /** Merge base; absent for unrelated histories. */
  commonId: string | undefined
  conflicts: string[]
  /** Changes of the pull request relative to the merge base. */
  changes: Map<string, TreeFile | null>
}

export interface MergeDraft extends MergePlan {
  /** Absent for a fast-forward, and where there is nothing to merge. */
  treeId?: string
}

/** Plans a merge of whole files: a file that both sides changed differently is a conflict. */
function planMerge(
  deps: Pick<HubDeps, 'objects'>,
  repo: Repo,
  { num, base = mainRef }: Discussion,
): MergePlan {
  const objects = deps.objects.of(repo)
  const baseId = refTarget(repo, base)
  const headId = refTarget(repo, pullRequestRef(num))
  const common = findMergeBase(objects, baseId, headId)
  const [ours, theirs] = [readCommit(objects, baseId).treeId, readCommit(objects, headId).treeId]
  const here = diffTrees(objects, common?.treeId, ours)
  const there = diffTrees(objects, common?.treeId, theirs)
  const changedHere = new Set([...here.added, ...here.modified, ...here.deleted])
  const taken = occupied([...here.added, ...here.modified])
  const conflicts: string[] = []
  const changes = new Map<string, TreeFile | null>()
  const changedThere = [...there.added, ...there.modified, ...there.deleted]
  const theirFiles = filesByPath(findPaths(objects, theirs, changedThere))
  for (const path of changedThere) {
    const theirFile = theirFiles.get(path)
    if (changedHere.has(path)) {
      if (!isSameFile(fileAt(objects, ours, path), theirFile)) conflicts.push(path)
    } else if (theirFile !== undefined && taken(path)) {
      conflicts.push(path)
    } else {
      changes.set(path, theirFile ?? null)
    }
  }
  return { baseId, headId, commonId: common?.id, conflicts: conflicts.toSorted(), changes }
}

/** Builds a check whether a new file would need one of these files as its folder, or be the folder of one. */
function occupied(paths: readonly string[]): (path: string) => boolean {
  const files = new Set(paths)
  const folders = new Set(paths.flatMap(foldersOf))
  return (path) => folders.has(path) || foldersOf(path).some((folder) => files.has(folder))
}

/** `a/b/c` → `a`, `a/b` */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
}

/** Returns files and the commits of submodules, which are merged the same way, by path. */
function filesByPath(entries: readonly PathEntry[]): Map<string, TreeFile> {
  const files = new Map<string, TreeFile>()
  for (const entry of entries) if (entry.type !== 'directory') files.set(entry.path, entry)
  return files
}

/** Finds a file or the commit of a submodule, which is merged the same way. */
function fileAt(objects: ObjectStore, root: string, path: string): TreeFile | undefined {
  const found = findPath(objects, root, path)
  return found === undefined || found.type === 'directory' ? undefined : found
}

function isSameFile(a: TreeFile | undefined, b: TreeFile | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode
}

function writeMergeCommit(
  deps: Pick<HubDeps, 'state' | 'objects' | 'clock'>,
  repo: Repo,
  { baseId, headId, treeId }: MergePlan & { treeId: string },
  { discussion, actorId }: DiscussionInput,
): Commit {
  return writeCommit(deps.objects.of(repo), {
    treeId,
    parentIds: [baseId, headId],
    title: `${discussion.title} (#${discussion.num})`,
    message: '',
    ...author(deps, actorId),
    date: deps.clock.now(),
  })
}

function open(
  deps: HubDeps,
  input: OpenDiscussionInput & {
    base: string
    status: Exclude<DiscussionStatus, 'closed' | 'merged'>
  },
  headId: string,
  commit?: Commit,
): OpenedPullRequest {
  const { base, status } = input
  const opened = addDiscussion(deps, input, { status, isPullRequest: true, base })
  const { discussion } = opened
  if (commit !== undefined) recordPullRequestCommit(deps, discussion, commit)
  const ref = { [pullRequestRef(discussion.num)]: headId }
  const repo = moveRefsAndTell(deps, opened.repo, ref, input.actorId)
  emitOpened(deps, { ...opened, repo })
  return { ...opened, repo }
}

function requireParent(
  { objects }: Pick<HubDeps, 'objects'>,
  { repo, revision, parentCommit }: CommitInput,
): { base: string; parentId: string } {
  const base = requireBranch(repo, revision)
  const { commit } = resolveRevision(objects.of(repo), repo, parentCommit ?? base)
  return { base, parentId: commit.id }
}

function requireMergeable({ isPullRequest, status, base = mainRef }: Discussion): string {
  if (!isPullRequest) throw new Refusal('invalid', 'Only pull requests can be merged')
  if (status === 'draft') {
    throw new Refusal('invalid', 'A draft pull request must be opened before it can be merged')
  }
  if (status !== 'open') throw new Refusal('conflict', `This pull request is ${status}`)
  return base
}

function requireBranch(repo: Repo, revision: string): string {
  const ref = requireWritableRef(repo, revision)
  if (!ref.startsWith('refs/heads/')) throw revisionNotFound(revision, repo)
  return ref
}

/** Fits a commit's summary to the length of a title. */
function fitTitle(summary: string): string {
  const { min, max } = titleLength
  return summary.length < min ? `Commit ${summary}` : beginningOf(summary, max)
}

function given({ description }: { description: string | undefined }) {
  return description === undefined ? {} : { description }
}
