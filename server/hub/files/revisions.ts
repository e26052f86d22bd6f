import type { Repo } from '../../state/entities/hub.ts'
import { type Commit, type ObjectStore, peelTags, readCommit } from './git-objects.ts'
import { walkAncestors } from './history.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'

export const mainRef = 'refs/heads/main'
const tagPrefix = 'refs/tags/'
const wholeId = /^[0-9a-f]{40}$/i

/** A revision, found. */
export interface ResolvedRevision {
  readonly commit: Commit
  /** Full name, where the revision names a ref and no commit. */
  readonly ref?: string
}

/**
 * Finds the commit a revision means: a branch, a tag, `refs/…`, `HEAD`, or a commit id of 7 to 40
 * digits. It is a name as it is: what an address encodes was decoded before. As in git, a whole id is no name, whatever refs are called: who pins a
 * commit gets that one. Only commits that a ref of this repo builds on
 * are found, so that no other repo's commits can be read through it.
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

/** The full name of an existing ref; branches go before tags. */
export function findRef(repo: Repo, name: string): string | undefined {
  if (name === 'HEAD') return repo.refs[mainRef] === undefined ? undefined : mainRef
  if (name.startsWith('refs/')) return Object.hasOwn(repo.refs, name) ? name : undefined
  const branch = `refs/heads/${name}`
  if (Object.hasOwn(repo.refs, branch)) return branch
  const tag = tagPrefix + name
  return Object.hasOwn(repo.refs, tag) ? tag : undefined
}

/**
 * The full name of a branch or pull request ref that can be committed to.
 * @throws {Refusal} `not_found` `RevisionNotFound` for tags, commit ids and what does not exist
 */
export function requireWritableRef(repo: Repo, revision: string): string {
  const ref = findRef(repo, revision)
  if (ref === undefined || ref.startsWith('refs/tags/')) throw revisionNotFound(revision, repo)
  return ref
}

/** What a ref is for, as git has it: of a tag that may be an object of its own, else a commit. */
export function refTarget(repo: Repo, ref: string): string {
  const target = own(repo.refs, ref)
  if (target === undefined) throw revisionNotFound(ref, repo)
  return target
}

/** The id of the commit that a ref leads to. */
export function commitOfRef(objects: ObjectStore, repo: Repo, ref: string): string {
  const target = refTarget(repo, ref)
  // Only tags are ever anything else; whoever reads a commit looks at what it is.
  return ref.startsWith(tagPrefix) ? peelTags(objects, target) : target
}

/** The commits that refs lead to, where a walk through all of a repo begins. */
export function headsOf(objects: ObjectStore, repo: Repo): string[] {
  return Object.keys(repo.refs).map((ref) => commitOfRef(objects, repo, ref))
}

/** @param detail for the request log; default: the refs that the repo has */
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
  const matching: Commit[] = []
  for (const commit of walkAncestors(objects, headsOf(objects, repo))) {
    if (commit.id === prefix) return commit
    if (commit.id.startsWith(prefix)) matching.push(commit)
  }
  return matching.length === 1 ? matching[0] : undefined
}

/** The names of the refs below a prefix such as `refs/heads/`, without it. */
export function refNames({ refs }: Pick<Repo, 'refs'>, prefix: string): string[] {
  return Object.keys(refs).flatMap((ref) =>
    ref.startsWith(prefix) ? ref.slice(prefix.length) : [],
  )
}
