import type {
  BucketEntryResponse,
  BucketFileResponse,
  BucketResponse,
} from '../../contract/hub-buckets.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { BucketFile, Repo } from '../../store/entities/hub-entities.ts'
import { isPrivate } from '../access/rights.ts'
import type { HubDeps } from '../hub-deps.ts'
import { groupOfRepo } from '../repos/repo-info.ts'
import { measureBucket } from './bucket-files.ts'
import type { BucketEntry } from './bucket-tree.ts'

/** Describes a bucket as the hub's API does. */
export function describeBucket(deps: Pick<HubDeps, 'state'>, bucket: Repo): BucketResponse {
  const { name, createdAt, updatedAt, region, cdnRegions = [] } = bucket
  const { files, bytes } = measureBucket(deps, bucket)
  return {
    id: name,
    repoType: 'bucket',
    author: name.slice(0, name.indexOf('/')),
    private: isPrivate(bucket),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    size: bytes,
    totalFiles: files,
    cdnRegions,
    ...omitUndefined({ region, resourceGroup: groupOfRepo(deps, bucket) }),
  }
}

export function describeBucketFile(file: BucketFile): BucketFileResponse {
  const { path, size, xetHash, mtime, uploadedAt, contentType } = file
  return {
    type: 'file',
    path,
    size,
    xetHash,
    ...(mtime === undefined ? {} : { mtime: isoTime(mtime) }),
    uploadedAt: isoTime(uploadedAt),
    ...omitUndefined({ contentType }),
  }
}

export function describeBucketEntry(entry: BucketEntry): BucketEntryResponse {
  if (entry.type === 'file') return describeBucketFile(entry.file)
  const { type, path, uploadedAt } = entry
  return { type, path, uploadedAt: isoTime(uploadedAt) }
}
