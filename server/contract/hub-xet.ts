import { type Static, Type } from 'typebox'
import { flag, integer, text } from './plain-fields.ts'

// Xet storage: tokens of a repo, and the API of the storage.
// https://huggingface.co/docs/xet/api

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Hash as 64 hex digits' })

export const XetTokenResponse = Type.Object({
  casUrl: text('URL of the storage'),
  accessToken: text('Token for the storage'),
  exp: integer('Expiry in seconds since 1970'),
})
export type XetTokenResponse = Static<typeof XetTokenResponse>

export const XetWriteTokenQuery = Type.Object({
  create_pr: Type.Optional(flag('Whether the commit will open a pull request')),
})

export const XetStorageParams = Type.Object({
  storage: text('Id of the storage'),
})
export const XetHashParams = Type.Object({ ...XetStorageParams.properties, hash: Hash })

export const XetKeyParams = Type.Object({
  ...XetHashParams.properties,
  prefix: Type.String({
    enum: ['default', 'default-merkledb'],
    description: 'Meaningless; the older clients name another one',
  }),
})

export const XorbQuery = Type.Object({
  repo: text('Id of the repo'),
  first: Type.Integer({ minimum: 0, description: 'First byte that the URL is for' }),
  last: Type.Integer({ minimum: 0, description: 'Last byte' }),
  until: integer('Milliseconds since 1970, on the sandbox clock'),
  transfer: text('Transfer that asked for the URL'),
  secret: text('Signature'),
})

export const XetBatchBody = Type.Array(
  Type.Object({ prefix: Type.Literal('default'), hash: Hash }),
  { maxItems: 1000 },
)

export const XetBatchQuery = Type.Object({
  file_id: Type.Union([Hash, Type.Array(Hash, { maxItems: 1000 })], {
    description: 'Hash of a file; given again for each file',
  }),
})

export const XetDirtyHeaders = Type.Object({
  'x-range-dirty': Type.Optional(text('Bytes to replace: `bytes=0-99,200-299`')),
})

export const XorbUploadResponse = Type.Object({
  was_inserted: flag('false when the xorb was there already'),
})
export const ShardUploadResponse = Type.Object({
  result: integer('1: the shard was registered'),
})

const ChunkRange = Type.Object({
  start: Type.Integer(),
  end: integer('After the last chunk'),
})
const Bytes = Type.Object({
  start: Type.Integer(),
  end: integer('The last byte'),
})
const Term = Type.Object({
  hash: Hash,
  range: ChunkRange,
  unpacked_length: integer('Bytes of the chunks'),
})
const FetchInfo = Type.Object({ range: ChunkRange, url: Type.String(), url_range: Bytes })

export const ReconstructionResponse = Type.Object({
  offset_into_first_range: integer('Bytes of the first chunk before the requested range'),
  terms: Type.Array(Term),
  fetch_info: Type.Record(Type.String(), Type.Array(FetchInfo)),
})
export type ReconstructionResponse = Static<typeof ReconstructionResponse>

export const ReconstructionV2Response = Type.Object({
  offset_into_first_range: Type.Integer(),
  terms: Type.Array(Term),
  xorbs: Type.Record(
    Type.String(),
    Type.Array(
      Type.Object({
        url: Type.String(),
        ranges: Type.Array(Type.Object({ chunks: ChunkRange, bytes: Bytes })),
      }),
    ),
  ),
})
export type ReconstructionV2Response = Static<typeof ReconstructionV2Response>

export const BatchReconstructionResponse = Type.Object({
  files: Type.Record(Type.String(), Type.Array(Term)),
  fetch_info: Type.Record(Type.String(), Type.Array(FetchInfo)),
})
export type BatchReconstructionResponse = Static<typeof BatchReconstructionResponse>

const two = { minItems: 2, maxItems: 2 }
const Pair = Type.Array(Type.Integer(), two)
const Subtree = Type.Object({
  nodes: Type.Array(Type.Object({ hash: Hash, size: Type.Integer() })),
  levels: Type.Array(Pair, {
    description: 'Nodes on the left and on the right of each level',
  }),
  at_start: Type.Boolean(),
  at_end: Type.Boolean(),
})

export const FileChunkHashesResponse = Type.Object({
  totalChunks: Type.Integer(),
  fileSize: integer('In bytes'),
  windows: Type.Array(
    Type.Object({
      dirtyByteRange: Type.Array(Type.Integer(), {
        ...two,
        description: 'First byte, and the one after the last: to be chunked again',
      }),
    }),
  ),
  hashRanges: Type.Array(Type.Union([Subtree, Type.Null()]), {
    description: 'Trees of the chunks before, between and after the windows',
  }),
  gapVerification: Type.Array(Hash, {
    description: 'Verification hashes of the terms that no window touches',
  }),
})
export type FileChunkHashesResponse = Static<typeof FileChunkHashesResponse>
