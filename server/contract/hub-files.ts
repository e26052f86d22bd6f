import { type Static, type TSchema, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { repoTypes } from './words/hub-words.ts'
import { flag, integer, offFlag, text } from './plain-fields.ts'

const Oid = text('Git object id: 40 hex digits')
const Repeatable = <S extends TSchema>(one: S) => Type.Union([one, Type.Array(one)])
const Formatted = OneOf(['formatted'], 'Include title and message as HTML')
const Limit = (maximum: number, usual: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: usual, description: 'Items per page' }),
  )
const Cursor = Type.Optional(text('Position from the `Link` header of the previous page'))

/**
 * Entries per page of a tree, without and with the last commit of each: `usual` if the request has no limit, and `most` if its
 * limit is higher.
 */
export const treePageSizes = {
  plain: { usual: 1000, most: 10_000 },
  expanded: { usual: 100, most: 1000 },
} as const
/** Commits per page. */
export const commitPageSizes = { usual: 50, most: 1000 } as const

export const TreeQuery = Type.Object({
  recursive: Type.Optional(offFlag('Whether to include the contents of folders')),
  expand: Type.Optional(offFlag('Whether to include the last commit of each path')),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Items per page; default ${treePageSizes.plain.usual}, expanded ${treePageSizes.expanded.usual}`,
    }),
  ),
  cursor: Cursor,
})

export const CommitsQuery = Type.Object({
  limit: Limit(commitPageSizes.most, commitPageSizes.usual),
  cursor: Cursor,
  p: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'Page number, from 0',
    }),
  ),
  expand: Type.Optional(Repeatable(Formatted)),
  'expand[]': Type.Optional(Repeatable(Formatted)),
})

export const CompareQuery = Type.Object({
  raw: Type.Optional(
    offFlag('Whether to list the changed files with their modes and ids, not their lines'),
  ),
})
export const CompareResponse = text('The changes, as git formats them')
export const ScanResponse = Type.Object({
  scansDone: flag('Whether all files were scanned: never, for the sandbox scans none'),
  filesWithIssues: Type.Array(Type.Object({ path: text('Path'), level: text('Gravity') }), {
    description: 'None is known',
  }),
})
export const RefsQuery = Type.Object({
  include_prs: Type.Optional(offFlag('Whether to include the refs of pull requests')),
})

export const DownloadQuery = Type.Object({
  download: Type.Optional(flag('Whether browsers should save the file rather than show it')),
})

export const PathsInfoBody = Type.Object({
  paths: Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 2000 })], {
    description: 'Paths, or one; in a form at most 1,000',
  }),
  expand: Type.Optional(offFlag('Whether to include the last commit of each path')),
})
export type PathsInfoBody = Static<typeof PathsInfoBody>

export const TreeEntryResponse = Type.Object({
  type: Type.String({ enum: ['file', 'directory'] }),
  oid: Oid,
  size: integer('Size in bytes; 0 for a folder'),
  path: Type.String(),
  lfs: Type.Optional(
    Type.Object(
      {
        oid: text('SHA-256 of the content'),
        size: Type.Integer(),
        pointerSize: Type.Integer(),
      },
      { description: 'Content of a file in Git LFS' },
    ),
  ),
  xetHash: Type.Optional(text('Hash of the chunks of a file that came by Xet')),
  lastCommit: Type.Optional(
    Type.Object({ id: Oid, title: Type.String(), date: Type.String({ format: 'date-time' }) }),
  ),
})
export type TreeEntryResponse = Static<typeof TreeEntryResponse>
export const TreeResponse = Type.Array(TreeEntryResponse)

const RefResponse = Type.Object({ name: Type.String(), ref: Type.String(), targetCommit: Oid })
export const RefsResponse = Type.Object({
  branches: Type.Array(RefResponse),
  converts: Type.Array(RefResponse),
  tags: Type.Array(RefResponse),
  pullRequests: Type.Optional(Type.Array(RefResponse)),
})
export type RefsResponse = Static<typeof RefsResponse>

export const CommitEntryResponse = Type.Object({
  id: Oid,
  title: Type.String(),
  message: Type.String(),
  authors: Type.Array(Type.Object({ user: Type.String(), avatar: Type.String() })),
  date: Type.String({ format: 'date-time' }),
  formatted: Type.Optional(Type.Object({ title: Type.String(), message: Type.String() })),
})
export type CommitEntryResponse = Static<typeof CommitEntryResponse>
export const CommitsResponse = Type.Array(CommitEntryResponse)

export const BranchBody = Type.Object({
  startingPoint: Type.Optional(text('Revision; default: main')),
  emptyBranch: Type.Optional(offFlag('Whether the branch starts without files')),
  overwrite: Type.Optional(offFlag('Whether to move or empty an existing branch')),
})

export const TagBody = Type.Object({
  tag: Type.String(),
  message: Type.Optional(
    Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()], {
      description: 'Message of an annotated tag; absent, null or blank: a tag without an object',
    }),
  ),
})

export const SquashBody = Type.Object({
  message: Type.Optional(Type.String({ maxLength: 500, description: 'Title of the new commit' })),
})

export const SquashResponse = Type.Object({ commitId: Oid })

export const ValidateYamlBody = Type.Object({
  content: text('Content of README.md'),
  repoType: Type.Optional(OneOf(repoTypes, 'Default: model')),
})

const Findings = Type.Array(Type.Object({ message: Type.String() }))
export const ValidateYamlResponse = Type.Object({ errors: Findings, warnings: Findings })
export type ValidateYamlResponse = Static<typeof ValidateYamlResponse>

const CreatePr = Type.Optional(
  text('`1`: open a pull request for the branch; read access is enough'),
)
export const PreuploadQuery = Type.Object({ create_pr: CreatePr })
export const CommitQuery = Type.Object({
  create_pr: CreatePr,
  hot_reload: Type.Optional(text('Ignored')),
})

const Rules = (name: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength: 256 * 1024 }), Type.Null()], {
      description: `Content to use instead of the repo's ${name}; at most 256 KiB`,
    }),
  )
export const PreuploadBody = Type.Object({
  files: Type.Array(
    Type.Object({
      path: Type.String({ maxLength: 4096 }),
      size: Type.Optional(
        integer('Size in bytes; missing or negative = unknown, as sent by streaming clients'),
      ),
      sample: Type.Optional(text('First 512 bytes, as base64')),
    }),
    { maxItems: 1000 },
  ),
  gitIgnore: Rules('.gitignore'),
  gitAttributes: Rules('.gitattributes'),
})

export const PreuploadResponse = Type.Object({
  commitOid: Oid,
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      uploadMode: OneOf(['regular', 'lfs']),
      shouldIgnore: Type.Boolean(),
      oid: Type.Optional(text('Git object id of the current content')),
    }),
  ),
})

export const CommitResponse = Type.Object({
  success: Type.Boolean(),
  commitOid: Oid,
  commitUrl: Type.String({ format: 'uri' }),
  hookOutput: Type.String(),
  pullRequestUrl: Type.Optional(Type.String({ format: 'uri' })),
})

export const TreeSizeResponse = Type.Object({
  path: text('Path, as in the request'),
  size: integer('Bytes of all its files; of large ones, of their contents'),
})
