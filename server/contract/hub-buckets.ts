import { type Static, Type } from 'typebox'
import { RepoGroupResponse } from './hub-organizations.ts'
import { GroupId, TakenRepoResponse } from './hub-repos.ts'
import { OneOf } from './one-of.ts'
import { cdnProviders, repoRegions } from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Buckets: files without history, stored by Xet alone.
// https://huggingface.co/docs/hub/storage-buckets

const Visibility = Type.Optional(OneOf(['public', 'private'], 'Visibility'))
const Private = Type.Optional(
  Type.Union([Type.Boolean(), Type.Null()], { description: 'Instead of `visibility`' }),
)

export const CdnRegions = Type.Array(
  Type.Object({
    provider: OneOf(cdnProviders, 'Provider'),
    region: OneOf(repoRegions, 'Region'),
  }),
  { description: 'Content delivery network: kept and returned, never used' },
)

export const CreateBucketBody = Type.Object({
  visibility: Visibility,
  private: Private,
  resourceGroupId: Type.Optional(Type.Union([GroupId, Type.Null()])),
  region: Type.Optional(OneOf(repoRegions, 'Storage region, stored and returned')),
  cdn: Type.Optional(CdnRegions),
})

export const BucketSettingsBody = Type.Object({
  visibility: Visibility,
  private: Private,
  cdnRegions: Type.Optional(CdnRegions),
})

/** Entries of a page of a bucket's tree. */
export const bucketPageSizes = { usual: 1000, most: 5000 } as const

const Cursor = Type.Optional(text('Position from the `Link` header of the previous page'))
export const BucketListQuery = Type.Object({
  search: Type.Optional(text('Part of the name')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Items per page; default 100' }),
  ),
  cursor: Cursor,
})

export const BucketTreeQuery = Type.Object({
  recursive: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to list all files, or one folder' }),
  ),
  expand: Type.Optional(flag('Ignored')),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: bucketPageSizes.most,
      default: bucketPageSizes.usual,
      description: 'Entries per page',
    }),
  ),
  cursor: Cursor,
  sort: Type.Optional(
    OneOf(
      ['path', 'uploadedAt'],
      'Order: by path, or by time of the upload, which a list of all files has for the whole bucket only, and a list of one folder for a folder',
      'path',
    ),
  ),
  direction: Type.Optional(
    OneOf(['asc', 'desc'], 'Default: `asc` by path, `desc` by time of the upload'),
  ),
})

export const BucketPathsBody = Type.Object({
  paths: Type.Union([Type.Array(Type.String(), { maxItems: 2000 }), Type.String()], {
    description: 'Paths of files, at most 2,000; or one path',
  }),
  expand: Type.Optional(flag('Ignored')),
})

const Time = (description: string) => Type.String({ format: 'date-time', description })

export const CreateBucketResponse = Type.Object({
  url: Type.String({ format: 'uri', description: 'Its page' }),
  id: text('24 hex digits'),
  name: text('`namespace/name`'),
})

export const TakenBucketResponse = Type.Object(
  { ...TakenRepoResponse.properties, id: text('24 hex digits') },
  { description: 'A bucket has the name' },
)

export const BucketResponse = Type.Object({
  id: text('`namespace/name`'),
  repoType: OneOf(['bucket'], 'Kind'),
  author: text('Namespace'),
  private: Type.Boolean(),
  createdAt: Time('Creation time'),
  updatedAt: Time('Time of the last change'),
  size: integer('Bytes of all files'),
  totalFiles: integer('Number of files'),
  region: Type.Optional(OneOf(repoRegions, 'Storage region')),
  cdnRegions: CdnRegions,
  resourceGroup: Type.Optional(RepoGroupResponse),
})
export type BucketResponse = Static<typeof BucketResponse>
export const BucketListResponse = Type.Array(BucketResponse)

export const BucketSettingsResponse = Type.Object({
  private: Type.Boolean(),
  cdnRegions: CdnRegions,
})

export const BucketFileResponse = Type.Object({
  type: Type.Literal('file'),
  path: Type.String(),
  size: integer('Bytes'),
  xetHash: text('Hash of its chunks'),
  mtime: Type.Optional(Time('Time of its last change where it was uploaded')),
  uploadedAt: Time('Time of the upload'),
  contentType: Type.Optional(text('Media type that the client sent')),
})
export type BucketFileResponse = Static<typeof BucketFileResponse>

export const BucketEntryResponse = Type.Union([
  BucketFileResponse,
  Type.Object({
    type: Type.Literal('directory'),
    path: Type.String(),
    uploadedAt: Time('Time of the last upload into it'),
  }),
])
export type BucketEntryResponse = Static<typeof BucketEntryResponse>
export const BucketTreeResponse = Type.Array(BucketEntryResponse)
export const BucketPathsResponse = Type.Array(BucketFileResponse)

export const BucketBatchResponse = Type.Object({
  success: flag('Whether all operations succeeded'),
  processed: integer('Number of operations'),
  succeeded: integer('Number of those that succeeded'),
  failed: Type.Array(Type.Object({ path: Type.String(), error: Type.String() })),
})

export const BucketEventsQuery = Type.Object({
  cursor: Type.Optional(text('Cursor of an event, to go on behind it')),
  since: Type.Optional(text('Time in ISO 8601, to begin with the changes from then on')),
})
