import type { Repo } from '../../store/entities/hub-entities.ts'
import { filesByPath, formatTreeDiff } from './pull-request-diff.ts'
import type { ObjectStore } from '../files/git-objects.ts'
import { findMergeBase } from '../files/history.ts'
import { resolveRevision } from '../files/revisions.ts'
import { diffTrees, findPaths } from '../files/trees.ts'

/**
 * Formats the changes between two revisions as git does.
 * @param compare as for `git diff`: `old..new`, or `old...new` for those since the two branched off. A side that is left
 *   out is the default branch; a single revision is compared with it since it branched off
 * @param raw a line for each changed file, as `git diff --raw --no-abbrev` has it
 * @throws {Refusal} `not_found` `RevisionNotFound`
 */
export function compareRevisions(
  objects: ObjectStore,
  repo: Repo,
  { compare, raw = false }: { compare: string; raw?: boolean },
): string {
  // The names of refs have no two dots in a row.
  const {
    old = '',
    dots = '...',
    now = compare,
  } = /^(?<old>.*?)(?<dots>\.{2,3})(?<now>.*)$/s.exec(compare)?.groups ?? {}
  const commitOf = (revision: string) => resolveRevision(objects, repo, revision || 'HEAD').commit
  const [from, to] = [commitOf(old), commitOf(now)]
  const before = dots === '...' ? findMergeBase(objects, from.id, to.id) : from
  const format = raw ? formatRawDiff : formatTreeDiff
  return format(objects, before?.treeId, to.treeId)
}

const noMode = '000000'
const noId = '0'.repeat(40)

function formatRawDiff(objects: ObjectStore, before: string | undefined, after: string): string {
  const { added, modified, deleted } = diffTrees(objects, before, after)
  const paths = [...added, ...modified, ...deleted].toSorted()
  const olds = before === undefined ? [] : findPaths(objects, before, paths)
  const [oldByPath, newByPath] = [olds, findPaths(objects, after, paths)].map(filesByPath)
  const lines = paths.map((path) => {
    const [old, now] = [oldByPath?.get(path), newByPath?.get(path)]
    const letter = old === undefined ? 'A' : now === undefined ? 'D' : 'M'
    const modes = `${old?.mode ?? noMode} ${now?.mode ?? noMode}`
    return `:${modes} ${old?.oid ?? noId} ${now?.oid ?? noId} ${letter}\t${path}\n`
  })
  return lines.join('')
}
