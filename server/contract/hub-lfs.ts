import { type Static, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { repoTypes } from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

const Oid = text('SHA-256 of the content')
const Size = integer('Size of the content in bytes')

export const lfsMediaType = 'application/vnd.git-lfs+json'
/** Most files on a page, and in a request that deletes or copies some. */
export const mostLfsFiles = 1000
const lfsTransfers = ['basic', 'multipart', 'xet'] as const

const Path = Type.String({ minLength: 1, maxLength: 4096, description: 'Path of the file' })
const LockRef = Type.Optional(
  Type.Union([Type.Object({ name: text('Full name') }), Type.Null()], {
    description: 'Ref that the lock is for; absent: every ref',
  }),
)
/** Most locks on a page. */
export const mostLfsLocks = 100
const lockPage = {
  cursor: Type.Optional(text('`next_cursor` of the previous page')),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `Locks on a page, at most and by default ${mostLfsLocks}`,
    }),
  ),
}

export const LfsLockBody = Type.Object({ path: Path, ref: LockRef })
export const LfsLocksQuery = Type.Object({
  path: Type.Optional(Path),
  id: Type.Optional(text('Id of a lock')),
  refspec: Type.Optional(text('Full name of a ref')),
  ...lockPage,
})
export type LfsLocksQuery = Static<typeof LfsLocksQuery>
export const LfsLocksVerifyBody = Type.Object({ ref: LockRef, ...lockPage })
export const LfsUnlockBody = Type.Object({
  force: Type.Optional(flag('Whether to remove a lock of another user')),
  ref: LockRef,
})

export const LfsLockItem = Type.Object({
  id: Type.String(),
  path: Type.String(),
  locked_at: Type.String({ format: 'date-time' }),
  owner: Type.Object({ name: text('User name') }),
})
export type LfsLockItem = Static<typeof LfsLockItem>

const nextCursor = {
  next_cursor: Type.Optional(text('Absent on the last page')),
}
export const LfsLockResponse = Type.Object({ lock: LfsLockItem })
export const LfsLockTakenResponse = Type.Object({ lock: LfsLockItem, message: Type.String() })
export const LfsLocksResponse = Type.Object({ locks: Type.Array(LfsLockItem), ...nextCursor })
export const LfsLocksVerifyResponse = Type.Object({
  ours: Type.Array(LfsLockItem, { description: 'Locks of the caller' }),
  theirs: Type.Array(LfsLockItem, { description: 'Locks of other users' }),
  ...nextCursor,
})

export const LfsBatchBody = Type.Object({
  operation: OneOf(['upload', 'download']),
  transfers: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Supported transfers: `basic`, `multipart`, `xet`; default: `basic`',
    }),
  ),
  ref: Type.Optional(
    Type.Union([Type.Object({ name: Type.String() }), Type.Null()], {
      description:
        'Target branch or `refs/pr/N`; an upload needs write access to it. Without it, access to open a pull request is enough',
    }),
  ),
  objects: Type.Array(Type.Object({ oid: Oid, size: Size })),
  hash_algo: Type.Optional(text('`sha256` or `sha_256`')),
})

const Action = Type.Object({
  href: Type.String({ format: 'uri' }),
  header: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'For a multipart upload: `chunk_size`, which is larger for large files, and the URL of each part by its number. For Xet: URL and token of the storage; `href` has another token',
    }),
  ),
})
export type LfsAction = Static<typeof Action>

export const LfsBatchResponse = Type.Object({
  transfer: OneOf(lfsTransfers),
  hash_algo: Type.String(),
  objects: Type.Array(
    Type.Object({
      oid: Oid,
      size: Size,
      authenticated: Type.Optional(flag('Whether the URLs work without a token')),
      actions: Type.Optional(
        Type.Object({
          upload: Type.Optional(Action),
          verify: Type.Optional(Action),
          download: Type.Optional(Action),
        }),
      ),
      error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
    }),
  ),
})
export type LfsBatchResponse = Static<typeof LfsBatchResponse>

export const LfsErrorResponse = Type.Object({
  message: Type.String(),
  request_id: Type.String(),
})

/** Query of a signed content URL. */
export const LfsAddressQuery = Type.Object({
  repo: text('Id of the repo'),
  size: Type.Integer({ minimum: 0, description: 'Size of the content in bytes' }),
  until: integer('Milliseconds since 1970, on the sandbox clock'),
  nr: integer('Number that makes the URL unique'),
  secret: text('Random secret'),
})
export type LfsAddressQuery = Static<typeof LfsAddressQuery>
export const LfsDownloadQuery = Type.Object({
  ...LfsAddressQuery.properties,
  filename: Type.Optional(text('File name of the download, which also sets its media type')),
  commit: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{40}$',
      description: 'Commit of the requested file, with a storage on the host of the Hub',
    }),
  ),
  download: Type.Optional(flag('Whether browsers should save the file rather than show it')),
})
export const LfsUploadQuery = Type.Object({
  ...LfsAddressQuery.properties,
  part: Type.Optional(Type.Integer({ minimum: 1, description: 'Part number' })),
})

export const LfsCompletionBody = Type.Object({
  oid: Oid,
  parts: Type.Array(
    Type.Object({
      partNumber: Type.Integer(),
      etag: text('Entity tag, in quotes'),
    }),
  ),
})

export const LfsVerifyBody = Type.Object({ oid: Oid, size: Size })

export const LfsFilesQuery = Type.Object({
  cursor: Type.Optional(text('Position from the `Link` header of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostLfsFiles, default: mostLfsFiles })),
  xet: Type.Optional(flag('Ignored: whether to name the files of the Xet storage as well')),
})

export type LfsFilesQuery = Static<typeof LfsFilesQuery>

const LfsFileItem = Type.Object({
  fileOid: Oid,
  oid: Oid,
  filename: text('One of its file names'),
  size: Size,
  pushedAt: Type.String({ format: 'date-time' }),
  ref: Type.Optional(text('A ref that contains it')),
})
export type LfsFileItem = Static<typeof LfsFileItem>
export const LfsFilesResponse = Type.Array(LfsFileItem)

export const LfsFileDeletionQuery = Type.Object({
  rewriteHistory: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to remove its pointers from all commits' }),
  ),
})
export const LfsDeletionBody = Type.Object({
  deletions: Type.Object({
    sha: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: mostLfsFiles,
      description: '`fileOid` of the files',
    }),
    rewriteHistory: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether to remove their pointers from all commits',
      }),
    ),
  }),
})

const Sha256 = Type.String({ minLength: 64, maxLength: 64, pattern: '^[0-9a-fA-F]{64}$' })

export const LfsDuplicationBody = Type.Object({
  target: Type.Object({
    type: OneOf(repoTypes),
    name: Type.String({ minLength: 1 }),
  }),
  files: Type.Array(
    Type.Object({
      sha256: Sha256,
      filename: Type.Optional(Type.String({ maxLength: 1000 })),
      xetHash: Type.Optional(Type.Union([Sha256, Type.Null()])),
    }),
    { minItems: 1, maxItems: mostLfsFiles },
  ),
})
export const LfsDuplicationResponse = Type.Object({
  success: flag('Whether all files were copied'),
  processed: integer('Number of distinct files'),
  succeeded: integer('Number of files now in the target'),
  failed: Type.Array(
    Type.Object({
      xetHash: text('`xetHash` of the request'),
      sha256: Oid,
      error: Type.String(),
    }),
  ),
})
