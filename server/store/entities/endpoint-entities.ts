import { type Static, Type } from 'typebox'
import { OneOf } from '../../contract/one-of.ts'
import { endpointTypes } from '../../contract/words/endpoint-words.ts'
import { ObjectId, Timestamp } from './common-entities.ts'

const Texts = Type.Array(Type.String())
const Variables = Type.Record(Type.String(), Type.String())

/** An inference endpoint. Its state follows from `condition` and the time since then. */
export const InferenceEndpointSchema = Type.Object({
  id: ObjectId,
  ownerId: ObjectId,
  name: Type.String(),
  type: OneOf(endpointTypes),
  provider: Type.Object({ vendor: Type.String(), region: Type.String() }),
  compute: Type.Object({
    accelerator: Type.String(),
    instanceType: Type.String(),
    instanceSize: Type.String(),
    scaling: Type.Object({
      minReplica: Type.Number(),
      maxReplica: Type.Number(),
      /** Minutes; absent or null = never. */
      scaleToZeroTimeout: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    }),
  }),
  model: Type.Object({
    repository: Type.String(),
    framework: Type.String(),
    revision: Type.Union([Type.String(), Type.Null()]),
    task: Type.Union([Type.String(), Type.Null()]),
    image: Type.Record(Type.String(), Type.Unknown()),
    command: Type.Optional(Texts),
    args: Type.Optional(Texts),
    env: Variables,
    secrets: Variables,
  }),
  tags: Texts,
  condition: OneOf(['started', 'updated', 'paused', 'scaledToZero']),
  /** Start of the condition. */
  since: Timestamp,
  lastRequestAt: Type.Optional(Timestamp),
  creatorId: ObjectId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type InferenceEndpoint = Static<typeof InferenceEndpointSchema>
