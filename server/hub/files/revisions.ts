import type { Repo } from '../../store/entities/hub-entities.ts'
import { type Commit, type ObjectStore, peelTags, readCommit } from './git-objects.ts'
import { walkAncestors } from './history.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'

export const mainRef = 'refs/heads/main'
const tagPrefix = 'refs/tags/'
const wholeId = /^[0-9a-f]{40}$/i

/** Resolved revision. */
export interface ResolvedRevision {
  readonly commit: Commit
  /** Full name of the ref; absent for a commit id. */
  readonly ref?: string
}

/**
 * Resolves a revision to a commit: a branch, a tag, `refs/…`, `HEAD`, or a commit id of 7 to 40 digits, already decoded
 * from the URL. As in git, a full id takes precedence over a ref of that name. Only commits that are reachable from a ref
 * of this repo are found, so that other repos' commits cannot be read through it.
 * @throws {Refusal} `not_found` `RevisionNotFound`
 */
export function resolveRevision(
  objects: ObjectStore,
  repo: Repo,
  revision: string,
): ResolvedRevision {
  const ref = findRef(repo, revision)
  if (ref === undefined || wholeId.test(revision)) {
    const commit = findCommit(objects, repo, revision)
    if (commit !== undefined) return { commit }
  }
  if (ref === undefined) throw revisionNotFound(revision, repo)
  return { ref, commit: readCommit(objects, commitOfRef(objects, repo, ref)) }
}

/** Returns the full name of an existing ref; branches take precedence over tags. */
export function findRef(repo: Repo, name: string): string | undefined {
  if (name === 'HEAD') return repo.refs[mainRef] === undefined ? undefined : mainRef
  if (name.startsWith('refs/')) return Object.hasOwn(repo.refs, name) ? name : undefined
  const branch = `refs/heads/${name}`
  if (Object.hasOwn(repo.refs, branch)) return branch
  const tag = tagPrefix + name
  return Object.hasOwn(repo.refs, tag) ? tag : undefined
}

/**
 * Returns the full name of a branch or pull request ref that accepts commits.
 * @throws {Refusal} `not_found` `RevisionNotFound` for tags, commit ids and unknown names
 */
export function requireWritableRef(repo: Repo, revision: string): string {
  const ref = findRef(repo, revision)
  if (ref === undefined || ref.startsWith('refs/tags/')) throw revisionNotFound(revision, repo)
  return ref
}

/** Returns the object that a ref points to: a commit or an annotated tag. */
export function refTarget(repo: Repo, ref: string): string {
  const target = own(repo.refs, ref)
  if (target === undefined) throw revisionNotFound(ref, repo)
  return target
}

/** Returns the id of the commit that a ref points to, through annotated tags. */
export function commitOfRef(objects: ObjectStore, repo: Repo, ref: string): string {
  const target = refTarget(repo, ref)
  // Only tags may point to another type; readers of a commit check the type.
  return ref.startsWith(tagPrefix) ? peelTags(objects, target) : target
}

/** Returns the commits of all refs, the starting points of a walk through a repo. */
export function headsOf(objects: ObjectStore, repo: Repo): string[] {
  return Object.keys(repo.refs).map((ref) => commitOfRef(objects, repo, ref))
}

/** @param detail for the request log; default: the refs of the repo */
export function revisionNotFound(
  revision: string,
  repo: Repo,
  detail = `refs of ${repo.type} ${repo.name}: ${Object.keys(repo.refs).join(', ') || 'none'}`,
): Refusal {
  return new Refusal('not_found', `Invalid rev id: ${revision}`, {
    hubError: 'RevisionNotFound',
    detail,
  })
}

function findCommit(objects: ObjectStore, repo: Repo, text: string): Commit | undefined {
  if (!/^[0-9a-f]{7,40}$/i.test(text)) return undefined
  const prefix = text.toLowerCase()
  if (wholeId.test(prefix) && !objects.has(prefix)) return undefined
  const matching: Commit[] = []
  for (const commit of walkAncestors(objects, headsOf(objects, repo))) {
    if (commit.id === prefix) return commit
    if (commit.id.startsWith(prefix)) matching.push(commit)
  }
  return matching.length === 1 ? matching[0] : undefined
}

/** Returns the names of the refs below a prefix such as `refs/heads/`, without the prefix. */
export function refNames({ refs }: Pick<Repo, 'refs'>, prefix: string): string[] {
  return Object.keys(refs).flatMap((ref) =>
    ref.startsWith(prefix) ? ref.slice(prefix.length) : [],
  )
}
