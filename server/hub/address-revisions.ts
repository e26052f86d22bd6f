import type { Refs } from '../objects/object-store.ts'
import type { Repo } from '../state/entities/hub.ts'
import { findRef } from './revisions.ts'

/** What an address names in a repo. */
export interface AddressedPath {
  readonly revision: string
  /** Empty for the root. */
  readonly path: string
}

/**
 * Tells the revision from the path in the end of an address. Some clients write a revision with `%2F`, others as it is:
 * then it is a pull request's ref, or else the longest ref that the address begins with.
 * @param rest what follows `/tree/` or `/resolve/`, as it came
 * @throws {URIError} for a percent sign that encodes nothing
 */
export function splitAddress(repo: Repo, rest: string): AddressedPath {
  const parts = (rest.endsWith('/') ? rest.slice(0, -1) : rest).split('/')
  const segments = rest.includes('%') ? parts.map(decodeURIComponent) : parts
  const length = revisionLength(repo, segments)
  return {
    revision: segments.slice(0, length).join('/'),
    path: segments.slice(length).join('/'),
  }
}

/**
 * The revision that an address ends in, however it is written.
 * @param rest what follows `/revision/` or `/commits/`, as it came
 * @throws {URIError} for a percent sign that encodes nothing
 */
export function revisionAtEnd(repo: Repo, rest: string): string {
  const { revision, path } = splitAddress(repo, rest)
  return path === '' ? revision : `${revision}/${path}`
}

function revisionLength(repo: Repo, segments: readonly string[]): number {
  const [first = '', second = ''] = segments
  if (first.includes('/')) return 1
  if (first === 'refs' && (second === 'pr' || second === 'convert')) return 3
  for (let length = Math.min(deepestOf(repo.refs), segments.length); length > 1; length--) {
    if (findRef(repo, segments.slice(0, length).join('/')) !== undefined) return length
  }
  return 1
}

/** By the refs of a repo, which are others once one of them has changed. */
const depths = new WeakMap<Refs, number>()

/** Parts of the longest ref: a repo may have thousands, and most addresses are of one that has a single part. */
function deepestOf(refs: Refs): number {
  const known = depths.get(refs)
  if (known !== undefined) return known
  let deepest = 1
  for (const ref of Object.keys(refs)) deepest = Math.max(deepest, ref.split('/').length)
  depths.set(refs, deepest)
  return deepest
}
