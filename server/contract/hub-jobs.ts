import { Type, type Static, type TSchema } from 'typebox'
import { JobPorts, JobSpecBody } from './hub-webhooks.ts'
import { OneOf } from './one-of.ts'
import { jobStages } from './words/job-words.ts'

/** Body of a run: the spec. */
export const RunJobBody = JobSpecBody
export type RunJobBody = Static<typeof RunJobBody>

export const JobPortsBody = Type.Object(JobPorts.properties)

export const JobLabelsBody = Type.Object({
  labels: Type.Record(Type.String(), Type.String(), {
    description: 'All labels; replaces the current ones',
  }),
})

const Repeated = <S extends TSchema>(one: S, description: string) =>
  Type.Union([one, Type.Array(one)], { description })

const LabelPair = Type.String({ pattern: '^[a-zA-Z0-9._-]+=[a-zA-Z0-9._-]*$' })

export const JobFilterQuery = Type.Object({
  stage: Type.Optional(Repeated(OneOf(jobStages), 'Only jobs in one of these stages')),
  label: Type.Optional(Repeated(LabelPair, 'Only jobs with all of these labels, each key=value')),
})
export type JobFilterQuery = Static<typeof JobFilterQuery>

export const JobListQuery = Type.Object({
  ...JobFilterQuery.properties,
  cursor: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'Position from the `Link` header of the previous page',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
})
export type JobListQuery = Static<typeof JobListQuery>

export const JobLogsQuery = Type.Object({
  tail: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of lines to return from the end of the log' }),
  ),
})

const schedule = Type.String({
  minLength: 1,
  maxLength: 100,
  description: '@hourly, @daily, @weekly, @monthly, @yearly, @annually, or five cron fields in UTC',
})

export const CreateScheduledJobBody = Type.Object({
  jobSpec: JobSpecBody,
  schedule,
  suspend: Type.Optional(Type.Boolean({ default: false })),
  concurrency: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether runs may overlap' }),
  ),
})
export type CreateScheduledJobBody = Static<typeof CreateScheduledJobBody>

export const ScheduleBody = Type.Object({ schedule })

export const ScheduledJobListQuery = Type.Object({ label: JobFilterQuery.properties.label })
