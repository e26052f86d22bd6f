import type { Repo } from '../../store/entities/hub-entities.ts'
import {
  type Commit,
  type ObjectStore,
  readCommit,
  writeBlob,
  writeCommit,
} from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { checkMessage } from './commit-message.ts'
import { checkFilePath } from '../rules/file-paths.ts'
import { author, moveRefsAndTell } from './repo-refs.ts'
import { type LfsOperation, writePointers } from './lfs-operations.ts'
import { refTarget, requireWritableRef } from '../files/revisions.ts'
import { recordPullRequestCommit, requirePullRequestOpen } from './pull-request-commits.ts'
import {
  editTree,
  findPath,
  listTree,
  PathConflictError,
  type PathEntry,
  type TreeFile,
} from '../files/trees.ts'

export type FileOperation =
  /** `oldPath`: former path of a moved file. */
  | { kind: 'add'; path: string; content: string | Uint8Array; oldPath?: string }
  /** Content that is stored already, see `ObjectStore.write`. */
  | { kind: 'add'; path: string; oid: string; size: number; oldPath?: string }
  /** Moves a file without a change. */
  | { kind: 'move'; path: string; oldPath: string }
  /** Deletes a file or a folder. */
  | { kind: 'delete'; path: string }
  | { kind: 'deleteFolder'; path: string }

export interface CommitInput {
  repo: Repo
  /** A branch or `refs/pr/N`. */
  revision: string
  operations: readonly (FileOperation | LfsOperation)[]
  title: string
  description?: string
  /** Absent for the hub itself. */
  actorId?: string
  /** Expected head: the commit is refused if the ref has moved. May be shortened to 7 digits. */
  parentCommit?: string
  /** Result of {@link draftCommit} for the same input. */
  draft?: Commit
}

/** Clients match these words. */
const outdated = 'The branch was updated since you opened this page. Please refresh and try again.'

/**
 * Commits to a branch or a pull request and emits an event.
 * @throws {Refusal} `unprocessable` for invalid paths and large files that were not uploaded,
 *   `invalid` for a file in the place of a folder or a message that git cannot store, `not_found` `RevisionNotFound` or
 *   `EntryNotFound`,
 *   `conflict` for a closed pull request, `outdated` when `parentCommit` is no longer the head
 */
export function commitFiles(
  deps: HubDeps,
  input: CommitInput,
): { commit: Commit; ref: string; repo: Repo } {
  const { repo, actorId } = input
  const { ref, headId, pullRequest } = requireHead(deps, input)
  const commit = takeDraft(input, headId) ?? writeChange(deps, repo, headId, input)
  if (pullRequest !== undefined) recordPullRequestCommit(deps, pullRequest, commit)
  return { commit, ref, repo: moveRefsAndTell(deps, repo, { [ref]: commit.id }, actorId) }
}

/**
 * Writes the commit of {@link commitFiles} without moving a ref, so that it can be on disk before a ref points to it.
 * @throws {Refusal} as {@link commitFiles}
 */
export function draftCommit(deps: HubDeps, input: CommitInput): Commit {
  return writeChange(deps, input.repo, requireHead(deps, input).headId, input)
}

/** @returns the draft if it is still valid; objects of Git LFS may have been deleted since, so a draft with them is not */
export function takeDraft(
  { draft, operations }: Pick<CommitInput, 'draft' | 'operations'>,
  parentId: string,
): Commit | undefined {
  const isSame = draft?.parentIds[0] === parentId && operations.every(({ kind }) => kind !== 'lfs')
  return isSame ? draft : undefined
}

/** Finds the present head of the target. @throws {Refusal} as {@link commitFiles} */
function requireHead(deps: HubDeps, { repo, revision, parentCommit }: CommitInput) {
  const ref = requireWritableRef(repo, revision)
  const pullRequest = requirePullRequestOpen(deps, repo, ref)
  const headId = refTarget(repo, ref)
  if (parentCommit !== undefined && !isSameCommit(headId, parentCommit)) {
    throw new Refusal('outdated', outdated, {
      detail: `parentCommit is ${parentCommit}, but ${ref} is at ${headId}`,
    })
  }
  return { ref, headId, pullRequest }
}

/**
 * Writes a commit on top of another without moving any ref.
 * @throws {Refusal} as {@link commitFiles}
 */
export function writeChange(
  deps: Pick<HubDeps, 'state' | 'objects' | 'clock'>,
  repo: Repo,
  parentId: string,
  input: Pick<CommitInput, 'operations' | 'title' | 'description' | 'actorId'>,
): Commit {
  if (input.title.trim() === '') throw new Refusal('invalid', 'The commit needs a summary')
  checkMessage('summary', input.title)
  checkMessage('description', input.description ?? '')
  const objects = deps.objects.of(repo)
  const { treeId } = readCommit(objects, parentId)
  return writeCommit(objects, {
    treeId: applyOperations(
      objects,
      treeId,
      writePointers(deps, { objects, repo, treeId }, input.operations),
    ),
    parentIds: [parentId],
    title: input.title,
    message: input.description ?? '',
    ...author(deps, input.actorId),
    date: deps.clock.now(),
  })
}

/**
 * Applies operations to a tree. All of them refer to the tree before; of two for one path the last one counts.
 * @param treeId absent to start without files
 * @throws {Refusal} `unprocessable`, also for too many folders; `invalid` or `not_found` `EntryNotFound`
 */
export function applyOperations(
  objects: ObjectStore,
  treeId: string | undefined,
  operations: readonly FileOperation[],
): string {
  const changes = new Map<string, TreeFile | null>()
  for (const operation of operations) {
    const path = pathOf(operation)
    switch (operation.kind) {
      case 'add': {
        const { oldPath } = operation
        if (oldPath !== undefined) checkFilePath(oldPath)
        const old = oldPath === undefined ? undefined : requireFile(objects, treeId, oldPath)
        if (old !== undefined) changes.set(old.path, null)
        changes.set(path, { oid: contentOf(objects, operation), ...(old && { mode: old.mode }) })
        break
      }
      case 'move': {
        const { oldPath } = operation
        checkFilePath(oldPath)
        const { path: left, oid, mode } = requireFile(objects, treeId, oldPath)
        changes.set(left, null)
        changes.set(path, { oid, mode })
        break
      }
      case 'delete':
      case 'deleteFolder':
        for (const file of filesToDelete(objects, treeId, { ...operation, path })) {
          changes.set(file, null)
        }
        break
    }
  }
  checkFolders(operations, changes)
  try {
    return editTree(objects, treeId, changes).id
  } catch (error) {
    if (!(error instanceof PathConflictError)) throw error
    throw new Refusal('invalid', `Path conflict: ${error.message}`)
  }
}

/** Folders that every commit may change, and bytes of its request for each further one. */
const [leastFolders, bytesOfFolder] = [100, 10]
/** Bytes of an operation beside its path, about. */
const bytesOfOperation = 60

/**
 * Limits the folders that a commit writes: each takes as few as two bytes of a path, and many more on the disk.
 * @throws {Refusal} `unprocessable`
 */
function checkFolders(
  operations: readonly FileOperation[],
  changes: ReadonlyMap<string, TreeFile | null>,
): void {
  const bytes = operations.reduce((sum, { path }) => sum + bytesOfOperation + path.length, 0)
  const most = leastFolders + Math.floor(bytes / bytesOfFolder)
  const written = [...changes].flatMap(([path, file]) => (file === null ? [] : [path]))
  if (countFolders(written) <= most) return
  throw new Refusal('unprocessable', `The commit would write more than ${most} folders`, {
    detail: `the limit is ${leastFolders}, and one for each ${bytesOfFolder} bytes of its paths, ${bytesOfOperation} added to each`,
  })
}

/** Counts the folders above files, each once. */
function countFolders(paths: readonly string[]): number {
  let count = 0
  let before = ''
  for (const path of paths.toSorted()) {
    let shared = 0
    while (shared < path.length && path[shared] === before[shared]) shared++
    for (let at = path.indexOf('/', shared); at !== -1; at = path.indexOf('/', at + 1)) count++
    before = path
  }
  return count
}

/** Removes the slash that some clients put after a folder. */
function pathOf(operation: FileOperation): string {
  const path =
    operation.kind === 'deleteFolder' ? operation.path.replace(/\/$/, '') : operation.path
  checkFilePath(path)
  return path
}

/** @returns the object id of a file's content */
function contentOf(
  objects: ObjectStore,
  operation: Extract<FileOperation, { kind: 'add' }>,
): string {
  if ('content' in operation) return writeBlob(objects, Buffer.from(operation.content)).id
  if (!objects.has(operation.oid)) {
    throw new TypeError(`the content of ${operation.path} was not kept before`)
  }
  return operation.oid
}

function requireFile(objects: ObjectStore, treeId: string | undefined, path: string): PathEntry {
  const found = findIn(objects, treeId, path)
  if (found?.type === 'file') return found
  throw entryNotFound('file', path, found && 'there is a folder of that name')
}

/** Lists the files that a deletion removes; git has no entry for an empty folder. */
function filesToDelete(
  objects: ObjectStore,
  treeId: string | undefined,
  { kind, path }: Extract<FileOperation, { kind: 'delete' | 'deleteFolder' }>,
): string[] {
  const found = findIn(objects, treeId, path)
  if (found?.type === 'directory') {
    const below: string[] = []
    for (const file of listTree(objects, found, true)) {
      if (file.type === 'file') below.push(file.path)
    }
    return below
  }
  if (found?.type === 'file' && kind === 'delete') return [found.path]
  throw entryNotFound(kind === 'delete' ? 'file' : 'folder', path)
}

function findIn(
  objects: ObjectStore,
  treeId: string | undefined,
  path: string,
): PathEntry | undefined {
  return treeId === undefined ? undefined : findPath(objects, treeId, path)
}

/** Builds the refusal whose words the Python client matches. */
function entryNotFound(type: 'file' | 'folder', path: string, detail?: string): Refusal {
  return new Refusal('not_found', `A ${type} with this name doesn't exist: ${path}`, {
    hubError: 'EntryNotFound',
    ...omitUndefined({ detail }),
  })
}

function isSameCommit(id: string, given: string): boolean {
  return given.length >= 7 && id.startsWith(given.toLowerCase())
}
