import { encodeTag, parseTag } from '../../store/objects/commit-codec.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { type ObjectStore, readTree, type TreeEntry, writeTree } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type FindLarge, largeFilesOf } from '../files/lfs-files.ts'
import { findLfsFile, forgetLfsFile } from '../files/lfs-objects.ts'
import { moveRefsAndTell } from '../commits/repo-refs.ts'

/** Headers that a rewritten commit loses: they sign the old commit. */
const signatures = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag'])

/**
 * Deletes objects of Git LFS from a repo. Their pointers stay as ordinary files, unless history is rewritten without them:
 * then every ref moves that reached one.
 * @param input `oids`: unknown ones are ignored
 */
export function deleteLfsFiles(
  deps: HubDeps,
  input: { repo: Repo; oids: readonly string[]; rewriteHistory: boolean; actorId?: string },
): Repo {
  const { repo } = input
  const oids = new Set(input.oids.filter((oid) => findLfsFile(deps, repo, oid) !== undefined))
  if (oids.size === 0) return repo
  const { moved, commits } = input.rewriteHistory
    ? refsWithout(deps, repo, oids)
    : { moved: {}, commits: new Map<string, string>() }
  for (const oid of oids) forgetLfsFile(deps, repo, oid)
  followCommits(deps, repo, commits)
  return Object.keys(moved).length === 0 ? repo : moveRefsAndTell(deps, repo, moved, input.actorId)
}

/** Rewrites the histories with such a file. @returns the new targets of refs and the replaced commits */
function refsWithout(deps: HubDeps, repo: Repo, oids: ReadonlySet<string>) {
  const objects = deps.objects.of(repo)
  const { rewrite, commits } = createRewrite(objects, largeFilesOf(deps, repo), oids)
  const moved = Object.entries(repo.refs).flatMap(([ref, id]): [string, string][] => {
    const rewritten = rewrite(id)
    return rewritten === id ? [] : [[ref, rewritten]]
  })
  return { moved: Object.fromEntries(moved), commits }
}

/** Updates the commits that discussions refer to. */
function followCommits(
  { state }: Pick<HubDeps, 'state'>,
  { id }: Repo,
  commits: ReadonlyMap<string, string>,
): void {
  const changed = (oid: string | undefined) => {
    const rewritten = oid === undefined ? undefined : commits.get(oid)
    return rewritten === oid ? undefined : rewritten
  }
  for (const discussion of state.discussions.group('repo', id)) {
    const mergeCommitId = changed(discussion.mergeCommitId)
    if (mergeCommitId !== undefined) state.discussions.put({ ...discussion, mergeCommitId })
    for (const event of state.discussionEvents.group('discussion', discussion.id)) {
      const oid = changed(event.oid)
      if (oid !== undefined) state.discussionEvents.put({ ...event, oid })
    }
  }
}

function createRewrite(objects: ObjectStore, findLarge: FindLarge, oids: ReadonlySet<string>) {
  const trees = new Map<string, string | undefined>()
  const commits = new Map<string, string>()

  /** @returns `undefined` for a folder that becomes empty */
  function rewriteTree(id: string): string | undefined {
    if (trees.has(id)) return trees.get(id)
    const { entries } = readTree(objects, id)
    const kept = entries.flatMap((entry): TreeEntry[] => {
      if (entry.type === 'directory') {
        const oid = rewriteTree(entry.oid)
        return oid === undefined ? [] : [{ ...entry, oid }]
      }
      return isGone(entry) ? [] : [entry]
    })
    const isSame =
      kept.length === entries.length && kept.every(({ oid }, index) => oid === entries[index]?.oid)
    const written = isSame ? id : kept.length === 0 ? undefined : writeTree(objects, kept).id
    trees.set(id, written)
    return written
  }

  function isGone({ type, oid }: TreeEntry): boolean {
    if (type !== 'file') return false
    const large = findLarge({ type, oid, size: objects.size(oid) })
    return large !== undefined && oids.has(large.oid)
  }

  /** Rewrites parents before their children. Not recursive: a history may be longer than the stack. */
  function rewriteCommit(head: string): string {
    const waiting = [head]
    for (let id = waiting.at(-1); id !== undefined; id = waiting.at(-1)) {
      const commit = objects.readCommit(id)
      const missing = commit.parentIds.filter((parentId) => !commits.has(parentId))
      if (missing.length > 0) {
        waiting.push(...missing)
        continue
      }
      waiting.pop()
      if (commits.has(id)) continue
      const parentIds = commit.parentIds.map((parentId) => commits.get(parentId) ?? parentId)
      const treeId = rewriteTree(commit.treeId) ?? writeTree(objects, []).id
      const isSame =
        treeId === commit.treeId && parentIds.every((parent, at) => parent === commit.parentIds[at])
      const headers = commit.headers.filter(([name]) => !signatures.has(name))
      const next = { ...commit, treeId, parentIds, headers }
      commits.set(id, isSame ? id : objects.writeCommit(next))
    }
    return commits.get(head) ?? head
  }

  function rewrite(id: string): string {
    const { type, content } = objects.read(id)
    if (type === 'commit') return rewriteCommit(id)
    if (type !== 'tag') return id
    const tag = parseTag(content)
    const objectId = rewrite(tag.objectId)
    return objectId === tag.objectId ? id : objects.write('tag', encodeTag({ ...tag, objectId }))
  }

  return {
    rewrite,
    /** New ids by old ids. */
    commits,
  }
}
