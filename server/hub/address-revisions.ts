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
  const segments = rest.replace(/\/$/, '').split('/').map(decodeURIComponent)
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
  const deepest = Math.max(1, ...Object.keys(repo.refs).map((ref) => ref.split('/').length))
  for (let length = Math.min(deepest, segments.length); length > 1; length--) {
    if (findRef(repo, segments.slice(0, length).join('/')) !== undefined) return length
  }
  return 1
}
