import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, Time } from './control.ts'
import { keyStates } from './words/oauth-words.ts'
import type { Fixtures, FixturesFile } from './fixtures-types.ts'
import { flag, integer, text } from './plain-fields.ts'

// Both are described by fixtures.schema.json, which responses do not need to load.
export const LoadedFixtures = Type.Unsafe<Fixtures>({
  type: 'object',
  additionalProperties: true,
  description: 'A fixtures file, as in fixtures.schema.json, with defaults filled in',
})
export const ExportedFixtures = Type.Unsafe<FixturesFile>({
  type: 'object',
  additionalProperties: true,
  description: 'A fixtures file, as in fixtures.schema.json',
})

export const ExportQuery = Type.Object({
  log: Type.Optional(OneOf(['0', '1'], '`1`: include the log')),
  command: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Command of the run, for the log' }),
  ),
  exitCode: Type.Optional(integer('Exit code of the run, for the log')),
})
export type ExportQuery = Static<typeof ExportQuery>

/** A public signing key (RFC 7517); no private member ever leaves the server. */
export const KeyItem = Type.Object({
  kid: text('Key id'),
  state: OneOf(keyStates, '`current` signs; `retired` is for verification only'),
  jwk: Type.Record(Type.String(), Type.Unknown(), { description: 'Public members' }),
})
export type KeyItem = Static<typeof KeyItem>

export const KeyList = ListOf(KeyItem)
export type KeyList = Static<typeof KeyList>

export const RotateKeyRequest = Type.Object(
  {
    keepOld: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether to keep publishing old keys' }),
    ),
  },
  { additionalProperties: false },
)
export type RotateKeyRequest = Static<typeof RotateKeyRequest>

export const RotatedKey = Type.Object({ kid: text('Id of the new key') })
export type RotatedKey = Static<typeof RotatedKey>

const SnapshotName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'Name of the snapshot',
})

export const SnapshotItem = Type.Object({
  name: SnapshotName,
  createdAt: Time('Sandbox time of the snapshot'),
  size: integer('Bytes'),
})
export type SnapshotItem = Static<typeof SnapshotItem>

export const SnapshotList = ListOf(SnapshotItem)
export type SnapshotList = Static<typeof SnapshotList>

export const CreateSnapshotRequest = Type.Object(
  {
    name: Type.Optional(SnapshotName),
    fixtures: Type.Optional(
      Type.Unknown({ description: 'Fixtures file to import instead of saving the current state' }),
    ),
  },
  { additionalProperties: false },
)
export type CreateSnapshotRequest = Static<typeof CreateSnapshotRequest>

export const CreatedSnapshot = Type.Object({
  name: SnapshotName,
  notices: Type.Optional(Type.Array(Type.String(), { description: 'Notices about the snapshot' })),
})
export type CreatedSnapshot = Static<typeof CreatedSnapshot>

/** The sandbox stops once this response is sent. */
export const Stopping = Type.Object({
  status: OneOf(['stopping'], 'Status'),
  pid: integer('Process id of the sandbox'),
})
export type Stopping = Static<typeof Stopping>

/** Result of a reset or restore. */
export const ReplacedState = Type.Object(
  {
    erasedRequests: Type.Integer({
      minimum: 0,
      description: 'Number of requests dropped from the log',
    }),
  },
  { description: 'Numbers of dropped items' },
)
export type ReplacedState = Static<typeof ReplacedState>

export const CreateLinkRequest = Type.Object(
  {
    target: Type.Optional(
      text('URL on this machine to forward requests to; absent: a sample receiver'),
    ),
    hosted: Type.Optional(flag('Hosted receiver, which stops after 48 h without a request')),
  },
  { additionalProperties: false },
)
export type CreateLinkRequest = Static<typeof CreateLinkRequest>

export const LinkItem = Type.Object({
  id: text('Link'),
  url: text('URL to use in a webhook'),
  target: Type.Optional(
    text('URL that requests are forwarded to; absent: the link responds with 200'),
  ),
  hosted: flag('Whether it is a hosted receiver'),
  expiresAt: Time('Expiry on the sandbox clock'),
  problem: Type.Optional(text('Reason for the pause; absent while listening')),
})
export type LinkItem = Static<typeof LinkItem>

export const LinkList = ListOf(LinkItem)
export type LinkList = Static<typeof LinkList>
