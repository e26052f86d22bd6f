import { isoTime } from '../../core/time.ts'
import { isUtf8 } from 'node:buffer'
import type {
  CommitDetail,
  CommitItem,
  DiscussionDetail,
  RepoEntry,
  RepoFile,
  RepoFileItem,
  TimelineItem,
} from '../../contract/control-repo-contents.ts'
import { type Commit, type ObjectStore, readBlob, readCommit } from '../files/git-objects.ts'
import { documentHtml } from '../discussions/document-html.ts'
import { formatTreeDiff } from '../discussions/pull-request-diff.ts'
import { listConflicts } from '../discussions/pull-requests.ts'
import { readmeBody } from '../rules/readme-metadata.ts'
import type { FindLarge } from '../files/lfs-files.ts'
import { diffTrees, type PathEntry } from '../files/trees.ts'
import type { Discussion, DiscussionEvent } from '../../store/entities/hub-entities.ts'
import { isoMember, present, userRef, type ViewDeps } from '../access/refs.ts'

const mostTextBytes = 1024 * 1024
const mostPaths = 1000

/** Describes a file by its content: a commit has only a pointer to a large file. */
export function describeFileItem(
  { path, size, oid }: Pick<PathEntry, 'path' | 'size' | 'oid'>,
  findLarge: FindLarge,
): RepoFileItem {
  const large = findLarge({ type: 'file', oid, size })
  if (large === undefined) return { path, size, oid }
  return { path, size: large.size, oid, storage: large.xetHash === undefined ? 'lfs' : 'xet' }
}

/** Describes a file as text; a shortened text ends with a whole character. */
export function describeFile(
  objects: ObjectStore,
  file: PathEntry,
  commitId: string,
  findLarge: FindLarge,
): RepoFile {
  const { path, oid } = file
  const about = { ...describeFileItem(file, findLarge), commitId }
  if (about.storage !== undefined) return { ...about, binary: true, truncated: false }
  const bytes = readBlob(objects, oid)
  // Like git, treats a file with a NUL byte as binary.
  if (!isUtf8(bytes) || bytes.includes(0)) return { ...about, binary: true, truncated: false }
  const truncated = bytes.length > mostTextBytes
  const content = new TextDecoder().decode(bytes.subarray(0, mostTextBytes), { stream: true })
  const html = /\.(?:md|markdown)$/i.test(path) ? { html: documentHtml(readmeBody(content)) } : {}
  return { ...about, binary: false, content, truncated, ...html }
}

export function describeEntry(entry: PathEntry, findLarge: FindLarge): RepoEntry {
  const { path, oid, size, type } = entry
  if (type === 'directory') return { path, oid, size, type: 'folder' }
  return { ...describeFileItem(entry, findLarge), type: 'file' }
}

export function describeCommit({
  id,
  title,
  message,
  authorName,
  date,
  parentIds,
}: Commit): CommitItem {
  return { id, title, message, author: authorName, date: isoTime(date), parents: [...parentIds] }
}

/**
 * Describes a commit with the paths that it changes.
 * @param withDiff also with the changed lines
 */
export function describeCommitInDetail(
  objects: ObjectStore,
  commit: Commit,
  withDiff: boolean,
): CommitDetail {
  const [parentId] = commit.parentIds
  const before = parentId === undefined ? undefined : readCommit(objects, parentId).treeId
  const { added, modified, deleted } = diffTrees(objects, before, commit.treeId)
  const left = { count: mostPaths }
  const take = (paths: string[]) => {
    const taken = paths.slice(0, left.count)
    left.count -= taken.length
    return taken
  }
  const all = added.length + modified.length + deleted.length
  return {
    ...describeCommit(commit),
    added: take(added),
    modified: take(modified),
    deleted: take(deleted),
    more: Math.max(0, all - mostPaths),
    ...(withDiff && { diff: formatTreeDiff(objects, before, commit.treeId) }),
  }
}

/** Describes a discussion with its conflicts. */
export function describeDiscussion(deps: ViewDeps, discussion: Discussion): DiscussionDetail {
  const { num, title, status, isPullRequest, authorId, createdAt } = discussion
  const timeline = deps.state.discussionEvents
    .group('discussion', discussion.id)
    .map((event) => describeTimelineItem(deps, event))
  return {
    num,
    title,
    status,
    isPullRequest,
    author: userRef(deps, authorId),
    createdAt: isoTime(createdAt),
    ...present(discussion, 'base', 'mergeCommitId'),
    conflicts: listConflicts(deps, discussion),
    timeline,
  }
}

/** Describes a timeline entry; as on the hub, the text of a hidden comment is left out. */
export function describeTimelineItem(deps: ViewDeps, event: DiscussionEvent): TimelineItem {
  const { id, type, authorId, createdAt, editedAt, hidden, content } = event
  return {
    id,
    type,
    ...(authorId !== undefined && { author: userRef(deps, authorId) }),
    createdAt: isoTime(createdAt),
    ...isoMember('editedAt', editedAt),
    ...(hidden === true ? { hidden } : present(event, 'content')),
    ...(hidden !== true && content !== undefined && { html: documentHtml(content) }),
    ...present(event, 'status', 'from', 'to', 'subject', 'oid'),
  }
}
