import { isUtf8 } from 'node:buffer'
import { formatPatch, type StructuredPatch, structuredPatch } from 'diff'
import { own } from '../../core/own.ts'
import type { Discussion, Repo } from '../../store/entities/hub-entities.ts'
import { type ObjectStore, readBlob, readCommit } from '../files/git-objects.ts'
import { findMergeBase } from '../files/history.ts'
import { mainRef } from '../files/revisions.ts'
import { diffTrees, findPaths, type PathEntry } from '../files/trees.ts'
import type { HubDeps } from '../hub-deps.ts'
import { pullRequestHead } from './pull-request-ref.ts'

/** Edits up to which the shortest diff is looked for; files that differ more are replaced as a whole. */
const mostEdits = 1000
/** Time for the shortest diff of a file, for the same reason. */
const longestSearchMs = 50
/** Bytes of a file whose lines are shown. */
const mostFileBytes = 1024 * 1024
/** Characters of the diff after which the lines of further files are left out. */
const mostCharacters = 4 * 1024 * 1024

type DiffDeps = Pick<HubDeps, 'state' | 'objects'>

/**
 * Formats the changes of a pull request since it branched off as git does. Files that are binary or very
 * large have no lines.
 */
export function diffPullRequest(deps: DiffDeps, repo: Repo, discussion: Discussion): string {
  const objects = deps.objects.of(repo)
  const headId = pullRequestHead(repo, discussion)
  // The commits of a deleted ref go when unused objects are deleted.
  if (headId === undefined || !objects.has(headId)) return ''
  const head = readCommit(objects, headId)
  const baseId = baseOf(deps, repo, discussion, head.id)
  const common = baseId === undefined ? undefined : findMergeBase(objects, baseId, head.id)
  return formatTreeDiff(objects, common?.treeId, head.treeId)
}

/** Returns the base as it was before a merge moved it, or what the first commit was made on if the base was deleted. */
function baseOf(
  { state, objects }: DiffDeps,
  repo: Repo,
  { id, base = mainRef, mergeCommitId }: Discussion,
  headId: string,
): string | undefined {
  const present = own(repo.refs, base)
  if (mergeCommitId === undefined && present !== undefined) return present
  // A fast-forward has no commit of its own: the base is what the first commit was made on.
  const first = state.discussionEvents.group('discussion', id).find(({ type }) => type === 'commit')
  const isOwn = mergeCommitId !== undefined && mergeCommitId !== headId
  const after = isOwn ? mergeCommitId : first?.oid
  return after === undefined ? undefined : readCommit(objects.of(repo), after).parentIds[0]
}

/**
 * Formats the changes between two trees as git does.
 * @param before absent = a tree without files
 */
export function formatTreeDiff(
  objects: ObjectStore,
  before: string | undefined,
  after: string,
): string {
  const { added, modified, deleted } = diffTrees(objects, before, after)
  const paths = [...added, ...modified, ...deleted].toSorted()
  const olds = before === undefined ? [] : findPaths(objects, before, paths)
  const news = findPaths(objects, after, paths)
  const [oldByPath, newByPath] = [filesByPath(olds), filesByPath(news)]
  let text = ''
  for (const path of paths) {
    const change = { path, old: oldByPath.get(path), new: newByPath.get(path) }
    text += formatChange(objects, change, text.length < mostCharacters)
  }
  return text
}

interface Change {
  path: string
  old: PathEntry | undefined
  new: PathEntry | undefined
}

/** Returns the files and submodules among entries by their paths. */
export function filesByPath(entries: readonly PathEntry[]): Map<string, PathEntry> {
  const files = entries.filter(({ type }) => type !== 'directory')
  return new Map(files.map((entry) => [entry.path, entry]))
}

function formatChange(objects: ObjectStore, change: Change, withLines: boolean): string {
  const { path, old, new: now } = change
  const before = withLines ? textOf(objects, old) : undefined
  const after = withLines ? textOf(objects, now) : undefined
  const from = old === undefined ? '/dev/null' : `a/${path}`
  const to = now === undefined ? '/dev/null' : `b/${path}`
  const isReadable = before !== undefined && after !== undefined
  const patch: StructuredPatch = {
    oldFileName: from,
    newFileName: to,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: isReadable ? hunksOf(before, after) : [],
    isGit: true,
    isCreate: old === undefined,
    isDelete: now === undefined,
    ...modesOf(change),
  }
  const note = isReadable ? '' : `Binary files ${from} and ${to} differ\n`
  return formatPatch(patch) + note
}

/** Modes that git prints: those of a new or deleted file, or both of a changed one. */
function modesOf({ old, new: now }: Change): Pick<StructuredPatch, 'oldMode' | 'newMode'> {
  if (old?.mode === now?.mode) return {}
  return {
    ...(old !== undefined && { oldMode: old.mode }),
    ...(now !== undefined && { newMode: now.mode }),
  }
}

/** Text of a file; empty without a file, `undefined` if its lines are not shown. */
function textOf(objects: ObjectStore, entry: PathEntry | undefined): string | undefined {
  if (entry === undefined) return ''
  if (entry.type === 'submodule') return `Subproject commit ${entry.oid}\n`
  if (entry.size > mostFileBytes) return undefined
  const bytes = readBlob(objects, entry.oid)
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined
}

function hunksOf(before: string, after: string): StructuredPatch['hunks'] {
  const limits = { maxEditLength: mostEdits, timeout: longestSearchMs }
  const found = structuredPatch('', '', before, after, '', '', { context: 3, ...limits })
  return found?.hunks ?? [replacement(before, after)]
}

/** Replaces all lines. */
function replacement(before: string, after: string): StructuredPatch['hunks'][number] {
  const [old, now] = [linesOf(before, '-'), linesOf(after, '+')]
  return {
    oldStart: 1,
    oldLines: old.count,
    newStart: 1,
    newLines: now.count,
    lines: [...old.lines, ...now.lines],
  }
}

function linesOf(text: string, sign: '-' | '+'): { count: number; lines: string[] } {
  if (text === '') return { count: 0, lines: [] }
  const lines = text.replace(/\n$/, '').split('\n')
  const marked = lines.map((line) => sign + line)
  const note = text.endsWith('\n') ? [] : ['\\ No newline at end of file']
  return { count: lines.length, lines: [...marked, ...note] }
}
