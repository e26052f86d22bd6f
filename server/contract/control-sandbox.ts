import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, Time } from './control.ts'
import { keyStates } from './words/oauth.ts'
import type { Fixtures, FixturesFile } from './fixtures-types.ts'

// Both are described by fixtures.schema.json, which need not be loaded to answer.
export const LoadedFixtures = Type.Unsafe<Fixtures>({
  type: 'object',
  additionalProperties: true,
  description: 'A fixtures file, as fixtures.schema.json has it, with defaults filled in',
})
export const ExportedFixtures = Type.Unsafe<FixturesFile>({
  type: 'object',
  additionalProperties: true,
  description: 'A fixtures file, as fixtures.schema.json has it',
})

export const ExportQuery = Type.Object({
  log: Type.Optional(OneOf(['0', '1'], '1: with what the run left behind')),
  command: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Program that was run, to be told in the log' }),
  ),
  exitCode: Type.Optional(Type.Integer({ description: 'How it ended, to be told in the log' })),
})
export type ExportQuery = Static<typeof ExportQuery>

export const ResumedRun = Type.Object({
  resumed: Type.Boolean({ description: 'False when the sandbox went on by itself already' }),
})
export type ResumedRun = Static<typeof ResumedRun>

/** A public signing key (RFC 7517); no private member ever leaves the server. */
export const KeyItem = Type.Object({
  kid: Type.String({ description: 'Key id' }),
  state: OneOf(keyStates, 'Signs, or is published for verification only'),
  jwk: Type.Record(Type.String(), Type.Unknown(), { description: 'Public members' }),
})
export type KeyItem = Static<typeof KeyItem>

export const KeyList = ListOf(KeyItem)
export type KeyList = Static<typeof KeyList>

export const RotateKeyRequest = Type.Object(
  {
    keepOld: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether old keys stay published' }),
    ),
  },
  { additionalProperties: false },
)
export type RotateKeyRequest = Static<typeof RotateKeyRequest>

export const RotatedKey = Type.Object({ kid: Type.String({ description: 'Id of the new key' }) })
export type RotatedKey = Static<typeof RotatedKey>

const SnapshotName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'Name of the snapshot',
})

export const SnapshotItem = Type.Object({
  name: SnapshotName,
  createdAt: Time('When it was kept, in real time'),
  size: Type.Integer({ description: 'Bytes' }),
})
export type SnapshotItem = Static<typeof SnapshotItem>

export const SnapshotList = ListOf(SnapshotItem)
export type SnapshotList = Static<typeof SnapshotList>

export const CreateSnapshotRequest = Type.Object(
  {
    name: Type.Optional(SnapshotName),
    fixtures: Type.Optional(
      Type.Unknown({ description: 'A fixtures file to import instead of the present state' }),
    ),
  },
  { additionalProperties: false },
)
export type CreateSnapshotRequest = Static<typeof CreateSnapshotRequest>

export const CreatedSnapshot = Type.Object({
  name: SnapshotName,
  notices: Type.Optional(
    Type.Array(Type.String(), { description: 'What one might not expect of this snapshot' }),
  ),
})
export type CreatedSnapshot = Static<typeof CreatedSnapshot>

/** The sandbox ends once this answer is out. */
export const Stopping = Type.Object({
  status: OneOf(['stopping'], 'What it does from now on'),
  pid: Type.Integer({ description: 'Process that the sandbox runs in' }),
})
export type Stopping = Static<typeof Stopping>

/** After a reset or restore. */
export const ReplacedState = Type.Object(
  {
    erasedRequests: Type.Integer({
      minimum: 0,
      description: 'Requests that the log had, and that are gone with the state they were made in',
    }),
  },
  { description: 'What is gone with the state' },
)
export type ReplacedState = Static<typeof ReplacedState>

export const CreateLinkRequest = Type.Object(
  {
    target: Type.Optional(
      Type.String({
        description: 'Address on this machine that calls are passed to; absent: a sample receiver',
      }),
    ),
    hosted: Type.Optional(
      Type.Boolean({ description: 'A receiver that may be stopped after 48 h without a call' }),
    ),
  },
  { additionalProperties: false },
)
export type CreateLinkRequest = Static<typeof CreateLinkRequest>

export const LinkItem = Type.Object({
  id: Type.String({ description: 'Link' }),
  url: Type.String({ description: 'Address to register as a webhook' }),
  target: Type.Optional(
    Type.String({ description: 'Where calls are passed to; absent: it answers 200 itself' }),
  ),
  hosted: Type.Boolean({ description: 'Whether it is a hosted receiver' }),
  expiresAt: Time('When it ends, on the sandbox clock'),
  problem: Type.Optional(Type.String({ description: 'Why it is paused; absent: it listens' })),
})
export type LinkItem = Static<typeof LinkItem>

export const LinkList = ListOf(LinkItem)
export type LinkList = Static<typeof LinkList>
