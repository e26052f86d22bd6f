import type { UpdatedFile } from '../events/hub-event.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import type { BucketFile, Repo } from '../../store/entities/hub-entities.ts'
import { emitHubEvent } from '../commits/emit-hub-event.ts'
import { forgetLfsFile, noteLfsFile } from '../files/lfs-objects.ts'
import type { HubDeps } from '../hub-deps.ts'

type Deps = Pick<HubDeps, 'state'>
type ReleasingDeps = Deps & { readonly objects: { readonly lfs: Pick<LfsContents, 'release'> } }
type BucketId = Pick<Repo, 'id'>

/** Content that is stored as chunks of Xet. */
export interface ChunkedContent {
  /** SHA-256 of the content. */
  readonly oid: string
  /** Hash of its chunks. */
  readonly xetHash: string
  /** In bytes. */
  readonly size: number
}

/** Change of one file; the content is in the store. */
export type BucketChange =
  | {
      readonly kind: 'add'
      readonly path: string
      readonly content: ChunkedContent
      readonly contentType?: string
      /** Milliseconds since 1970. */
      readonly mtime?: number
      /** Milliseconds since 1970. Default: now. */
      readonly uploadedAt?: number
    }
  | { readonly kind: 'delete'; readonly path: string }

/** Most files that an event names. */
export const mostNamedFiles = 10_000

/** Finds a file by its path. */
export function findBucketFile(
  { state }: Deps,
  { id }: BucketId,
  path: string,
): BucketFile | undefined {
  return state.bucketFiles.get(keyOf(id, path))
}

/** Lists the files of a bucket, ordered by path. */
export function listBucketFiles({ state }: Deps, { id }: BucketId): BucketFile[] {
  return state.bucketFiles.group('repo', id).toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Counts the files of a bucket and their bytes. */
export function measureBucket({ state }: Deps, { id }: BucketId): { files: number; bytes: number } {
  const files = state.bucketFiles.group('repo', id)
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

/**
 * Adds, overwrites and deletes files in their order, and emits one event. Contents that no path has any more are released
 * at the end, so that a file may be deleted before it is added under another path.
 */
export function changeBucketFiles(
  deps: HubDeps,
  {
    bucket,
    changes,
    actorId,
  }: { bucket: Repo; changes: readonly BucketChange[]; actorId?: string },
): Repo {
  if (changes.length === 0) return bucket
  const now = deps.clock.now()
  const replaced = new Set<string>()
  const updates = new Map<string, UpdatedFile>()
  for (const change of changes) {
    const { path } = change
    const before = findBucketFile(deps, bucket, path)
    if (before !== undefined) replaced.add(before.oid)
    // Its last change decides, and its place in the event.
    updates.delete(path)
    if (change.kind === 'delete') {
      deps.state.bucketFiles.delete(keyOf(bucket.id, path))
      updates.set(path, { path, action: 'delete' })
      continue
    }
    const { contentType, mtime, uploadedAt = now } = change
    const { oid, xetHash, size } = change.content
    // The empty content is not in the store.
    if (size > 0) noteLfsFile(deps, bucket, { oid, size })
    deps.state.bucketFiles.put({
      id: keyOf(bucket.id, path),
      repoId: bucket.id,
      path,
      oid,
      xetHash,
      size,
      ...omitUndefined({ contentType, mtime }),
      uploadedAt,
    })
    updates.set(path, { path, action: 'add', xetHash, size })
  }
  for (const oid of replaced) releaseUnused(deps, bucket, oid)
  const updated = deps.state.repos.put({ ...bucket, updatedAt: now })
  emitHubEvent(deps, updated, {
    scope: 'repo.content',
    action: 'update',
    actorId,
    updatedFiles: [...updates.values()].slice(0, mostNamedFiles),
    ...(updates.size > mostNamedFiles && { updatedFilesTruncated: true }),
  })
  return updated
}

/** Removes all files of a repo that is about to be deleted; its contents are released with it. */
export function forgetBucketFiles({ state }: Deps, { id }: BucketId): void {
  for (const file of state.bucketFiles.group('repo', id)) state.bucketFiles.delete(file.id)
}

function releaseUnused(deps: ReleasingDeps, bucket: BucketId, oid: string): void {
  if (deps.state.bucketFiles.groupSize('content', `${bucket.id}/${oid}`) === 0) {
    forgetLfsFile(deps, bucket, oid)
  }
}

function keyOf(bucketId: string, path: string): string {
  return `${bucketId}/${path}`
}
