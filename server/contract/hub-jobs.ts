import { Type, type Static } from 'typebox'
import { CreateWebhookBody, JobSpecBody, UpdateWebhookBody } from './hub-webhooks.ts'

/** Body of a run: the spec. What only a real machine has (`expose`, `ssh`) is let through and not used. */
export const RunJobBody = JobSpecBody
export type RunJobBody = Static<typeof RunJobBody>

const sourceFields = {
  jobSourceId: Type.Optional(
    Type.String({ description: 'Existing job, whose spec is copied, but for its secrets' }),
  ),
  secrets: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Secrets of the job that is copied; only with `jobSourceId`',
    }),
  ),
}

/** With what goes with a job that is copied. */
export const CreateJobWebhookBody = Type.Object({
  ...CreateWebhookBody.properties,
  ...sourceFields,
})
export type CreateJobWebhookBody = Static<typeof CreateJobWebhookBody>

export const UpdateJobWebhookBody = Type.Object({
  ...UpdateWebhookBody.properties,
  ...sourceFields,
})
export type UpdateJobWebhookBody = Static<typeof UpdateJobWebhookBody>

export const JobLabelsBody = Type.Object({
  labels: Type.Record(Type.String(), Type.String(), { description: 'All labels, the old ones go' }),
})

const Repeated = (description: string) =>
  Type.Union([Type.String(), Type.Array(Type.String())], { description })

export const JobListQuery = Type.Object({
  stage: Type.Optional(Repeated('Only in one of these stages')),
  label: Type.Optional(Repeated('Only with all of these labels, each key=value')),
  cursor: Type.Optional(Type.String({ description: 'Where the page before ended' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
})
export type JobListQuery = Static<typeof JobListQuery>

export const JobLogsQuery = Type.Object({
  tail: Type.Optional(Type.Integer({ minimum: 0, description: 'Only the last lines so far' })),
})
