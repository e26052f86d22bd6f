import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, Time, UserRef, pageQuery } from './control.ts'
import { jobStages } from './words/jobs.ts'

const Pairs = (description: string) => Type.Record(Type.String(), Type.String(), { description })

export const JobItem = Type.Object(
  {
    id: Type.String({ description: '24 hex digits' }),
    namespace: Type.String({ description: 'User or organization billed' }),
    owner: UserRef,
    dockerImage: Type.Optional(Type.String({ description: 'Docker image' })),
    spaceId: Type.Optional(Type.String({ description: 'Space' })),
    command: Type.Array(Type.String(), { description: 'Requested command' }),
    arguments: Type.Array(Type.String(), { description: 'Requested arguments' }),
    environment: Pairs('Environment'),
    secrets: Pairs('Secret environment'),
    flavor: Type.String({ description: 'Hardware' }),
    labels: Pairs('Labels'),
    stage: OneOf(jobStages, 'State'),
    message: Type.Optional(Type.String({ description: 'Reason for the stage' })),
    executed: Type.Boolean({
      description:
        'Whether --run-jobs has a command for it, even if it could not be started; false: recorded only',
    }),
    exitCode: Type.Optional(Type.Integer({ description: 'Exit code of the process' })),
    deliveryId: Type.Optional(Type.String({ description: 'Delivery that started the job' })),
    createdAt: Time('Creation time'),
    startedAt: Type.Optional(Time('Start time')),
    finishedAt: Type.Optional(Time('End time')),
  },
  { description: 'A job' },
)
export type JobItem = Static<typeof JobItem>

export const JobDetail = Type.Object({
  ...JobItem.properties,
  logs: Type.Array(Type.Object({ at: Time('Time'), line: Type.String({ description: 'Output' }) })),
})
export type JobDetail = Static<typeof JobDetail>

export const JobList = ListOf(JobItem)
export type JobList = Static<typeof JobList>

export const JobQuery = Type.Object({
  namespace: Type.Optional(Type.String({ description: 'User or organization' })),
  stage: Type.Optional(OneOf(jobStages, 'State')),
  ...pageQuery,
})
export type JobQuery = Static<typeof JobQuery>

export const CreateJobRequest = Type.Object(
  {
    user: Type.String({ description: 'User that starts it' }),
    namespace: Type.Optional(Type.String({ description: 'Namespace; default: the user' })),
    dockerImage: Type.Optional(Type.String({ description: 'Image; or `spaceId`' })),
    spaceId: Type.Optional(Type.String({ description: 'Space; or `dockerImage`' })),
    command: Type.Optional(Type.Array(Type.String())),
    arguments: Type.Optional(Type.Array(Type.String())),
    environment: Type.Optional(Pairs('Environment')),
    secrets: Type.Optional(Pairs('Secret environment')),
    flavor: Type.Optional(Type.String({ description: 'Hardware; default cpu-basic' })),
    labels: Type.Optional(Pairs('Labels')),
  },
  { additionalProperties: false },
)
export type CreateJobRequest = Static<typeof CreateJobRequest>
