import { encodeText } from '../../core/encode-text.ts'
import type { Refs } from '../../store/objects/object-store.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { findRef, revisionNotFound } from './revisions.ts'

/** Revision and path that a URL names in a repo. */
export interface AddressedPath {
  readonly revision: string
  /** Empty for the root. */
  readonly path: string
}

/**
 * Splits the end of a URL into revision and path. The revision is one segment, as at most routes of the hub: its slashes
 * must be encoded.
 * @param rest part of the URL behind `/resolve/`, still encoded
 * @throws {Refusal} `not_found` `RevisionNotFound` for a ref whose slashes are not encoded
 * @throws {URIError} for a percent sign that encodes nothing
 */
export function splitEncodedAddress(repo: Repo, rest: string): AddressedPath {
  const address = rest.endsWith('/') ? rest.slice(0, -1) : rest
  const [first = '', ...path] = address.split('/')
  const revision = decodeURIComponent(first)
  const { revision: meant } = splitAddress(repo, address)
  if (meant !== revision && findRef(repo, revision) === undefined) {
    throw revisionNotFound(revision, repo, `encode the slashes: ${encodeText(meant)}`)
  }
  return { revision, path: path.map(decodeURIComponent).join('/') }
}

/**
 * Revision at the end of a URL, in one segment as {@link splitEncodedAddress} reads it.
 * @throws as {@link splitEncodedAddress}
 */
export function encodedRevision(repo: Repo, rest: string): string {
  return joined(splitEncodedAddress(repo, rest))
}

/**
 * Splits the end of a URL of the few routes where the JavaScript client does not encode the revision. It is then a pull
 * request's ref, or else the longest ref that the URL begins with.
 * @param rest part of the URL behind `/tree/`, still encoded
 * @throws {URIError} for a percent sign that encodes nothing
 */
export function splitAddress(repo: Repo, rest: string): AddressedPath {
  const address = rest.endsWith('/') ? rest.slice(0, -1) : rest
  const isEncoded = address.includes('%')
  // The usual case: every ref name has one part.
  if (!isEncoded && !address.startsWith('refs/') && mostParts(repo.refs) === 1) {
    const slash = address.indexOf('/')
    if (slash < 0) return { revision: address, path: '' }
    return { revision: address.slice(0, slash), path: address.slice(slash + 1) }
  }
  const parts = address.split('/')
  const segments = isEncoded ? parts.map(decodeURIComponent) : parts
  const length = revisionLength(repo, segments)
  return {
    revision: segments.slice(0, length).join('/'),
    path: segments.slice(length).join('/'),
  }
}

/**
 * Revision at the end of a URL, encoded or not, as {@link splitAddress} reads it.
 * @param rest part of the URL behind `/commits/`, still encoded
 * @throws {URIError} for a percent sign that encodes nothing
 */
export function revisionAtEnd(repo: Repo, rest: string): string {
  return joined(splitAddress(repo, rest))
}

function joined({ revision, path }: AddressedPath): string {
  return path === '' ? revision : `${revision}/${path}`
}

function revisionLength(repo: Repo, segments: readonly string[]): number {
  const [first = '', second = ''] = segments
  if (first.includes('/')) return 1
  if (first === 'refs' && (second === 'pr' || second === 'convert')) return 3
  const most = mostParts(repo.refs) + (first === 'refs' ? prefixParts : 0)
  for (let length = Math.min(most, segments.length); length > 1; length--) {
    if (findRef(repo, segments.slice(0, length).join('/')) !== undefined) return length
  }
  return 1
}

/** Parts of `refs/heads/` and similar prefixes. */
const prefixParts = 2

/** Cached by the refs of a repo; a change of a ref creates a new object. */
const partsOf = new WeakMap<Refs, number>()

/** Returns the number of parts of the longest ref name; a repo may have thousands of refs, mostly with one part. */
function mostParts(refs: Refs): number {
  const known = partsOf.get(refs)
  if (known !== undefined) return known
  let most = 1
  for (const ref of Object.keys(refs)) most = Math.max(most, ref.split('/').length - prefixParts)
  partsOf.set(refs, most)
  return most
}
