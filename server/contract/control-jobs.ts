import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, Time, UserRef, pageQuery } from './control.ts'
import { ScheduleBody } from './hub-jobs.ts'
import { jobStages } from './words/job-words.ts'
import { flag, integer, text } from './plain-fields.ts'

const Pairs = (description: string) => Type.Record(Type.String(), Type.String(), { description })

export const JobItem = Type.Object(
  {
    id: text('24 hex digits'),
    namespace: text('User or organization billed'),
    owner: UserRef,
    dockerImage: Type.Optional(text('Docker image')),
    spaceId: Type.Optional(text('Space')),
    command: Type.Array(Type.String(), { description: 'Requested command' }),
    arguments: Type.Array(Type.String(), { description: 'Requested arguments' }),
    environment: Pairs('Environment'),
    secrets: Pairs('Secret environment'),
    flavor: text('Hardware'),
    labels: Pairs('Labels'),
    stage: OneOf(jobStages, 'State'),
    message: Type.Optional(text('Reason for the stage')),
    executed: flag(
      'Whether --run-jobs has a command for it, even if it could not be started; false: recorded only',
    ),
    exitCode: Type.Optional(integer('Exit code of the process')),
    deliveryId: Type.Optional(text('Delivery that started the job')),
    createdAt: Time('Creation time'),
    startedAt: Type.Optional(Time('Start time')),
    finishedAt: Type.Optional(Time('End time')),
  },
  { description: 'A job' },
)
export type JobItem = Static<typeof JobItem>

export const JobDetail = Type.Object({
  ...JobItem.properties,
  logs: Type.Array(Type.Object({ at: Time('Time'), line: text('Output') })),
})
export type JobDetail = Static<typeof JobDetail>

export const JobList = ListOf(JobItem)
export type JobList = Static<typeof JobList>

export const JobQuery = Type.Object({
  namespace: Type.Optional(text('User or organization')),
  stage: Type.Optional(OneOf(jobStages, 'State')),
  ...pageQuery,
})
export type JobQuery = Static<typeof JobQuery>

export const CreateJobRequest = Type.Object(
  {
    user: text('User that starts it'),
    namespace: Type.Optional(text('Namespace; default: the user')),
    dockerImage: Type.Optional(text('Image; or `spaceId`')),
    spaceId: Type.Optional(text('Space; or `dockerImage`')),
    command: Type.Optional(Type.Array(Type.String())),
    arguments: Type.Optional(Type.Array(Type.String())),
    environment: Type.Optional(Pairs('Environment')),
    secrets: Type.Optional(Pairs('Secret environment')),
    flavor: Type.Optional(text('Hardware; default cpu-basic')),
    labels: Type.Optional(Pairs('Labels')),
  },
  { additionalProperties: false },
)
export type CreateJobRequest = Static<typeof CreateJobRequest>

const Schedule = ScheduleBody.properties.schedule
const Suspend = flag('Whether it does not run')
const { namespace, dockerImage, spaceId, command, environment, secrets, flavor, labels } =
  JobItem.properties

export const ScheduledJobItem = Type.Object(
  {
    id: text('24 hex digits'),
    namespace,
    creator: UserRef,
    dockerImage,
    spaceId,
    command,
    arguments: JobItem.properties.arguments,
    environment,
    secrets,
    flavor,
    labels,
    schedule: Schedule,
    suspend: Suspend,
    concurrency: flag('Whether runs may overlap'),
    nextRunAt: Type.Optional(
      Time('Time of the next run, on the sandbox clock; absent if it is suspended'),
    ),
    lastJob: Type.Optional(
      Type.Object(
        {
          id: text('Job'),
          at: Time('Start time'),
          stage: Type.Optional(OneOf(jobStages, 'State; absent once the job was dropped')),
        },
        { description: 'Last run' },
      ),
    ),
    createdAt: Time('Creation time'),
  },
  { description: 'A job that runs at times of the sandbox clock' },
)
export type ScheduledJobItem = Static<typeof ScheduledJobItem>

export const ScheduledJobList = ListOf(ScheduledJobItem)
export type ScheduledJobList = Static<typeof ScheduledJobList>

export const ScheduledJobQuery = Type.Object({
  namespace: Type.Optional(text('Only of this user or organization')),
  ...pageQuery,
})
export type ScheduledJobQuery = Static<typeof ScheduledJobQuery>

export const CreateScheduledJobRequest = Type.Object(
  {
    ...CreateJobRequest.properties,
    schedule: Schedule,
    suspend: Type.Optional(Suspend),
    concurrency: Type.Optional(ScheduledJobItem.properties.concurrency),
  },
  { additionalProperties: false },
)
export type CreateScheduledJobRequest = Static<typeof CreateScheduledJobRequest>

export const UpdateScheduledJobRequest = Type.Object(
  { schedule: Type.Optional(Schedule), suspend: Type.Optional(Suspend) },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateScheduledJobRequest = Static<typeof UpdateScheduledJobRequest>
