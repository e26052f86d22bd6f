import { Type } from 'typebox'
import {
  CreateJobRequest,
  JobDetail,
  JobItem,
  JobList,
  JobQuery,
} from '../../../contract/control-jobs.ts'
import { Refusal } from '../../../core/refusal.ts'
import { createJobByHand } from '../../../jobs/create-job.ts'
import { newestFirst, pageOf } from './page.ts'
import { describeJob, describeJobWithLogs } from './views/jobs.ts'
import type { Job } from '../../../state/entities/webhooks.ts'
import { nameKey } from '../../../state/state.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['jobs']
const params = Type.Object({ id: Type.String({ description: 'Job' }) })

export const jobRoutes: ControlRoutes = async (app, { deps }) => {
  const { jobs } = deps.state

  app.get(
    '/jobs',
    {
      schema: {
        summary: 'List jobs',
        tags,
        querystring: JobQuery,
        response: { 200: JobList, ...refusals },
      },
    },
    async ({ query }) => {
      const all =
        query.namespace === undefined
          ? jobs.values()
          : jobs.group('namespace', nameKey(query.namespace))
      return pageOf(
        newestFirst(all).filter(({ stage }) => query.stage === undefined || stage === query.stage),
        query,
        ({ id }) => id,
        (job) => describeJob(deps, job),
      )
    },
  )

  app.post(
    '/jobs',
    {
      schema: {
        summary: 'Start a job',
        description: 'Recorded only, unless --run-jobs names a command for its image.',
        tags,
        body: CreateJobRequest,
        response: { 201: JobItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeJob(deps, createJobByHand(deps, body))
    },
  )

  app.get(
    '/jobs/:id',
    {
      schema: {
        summary: 'One job with its log',
        tags,
        params,
        response: { 200: JobDetail, ...refusals },
      },
    },
    async (request) => describeJobWithLogs(deps, find(request.params.id)),
  )

  app.delete(
    '/jobs/:id',
    {
      schema: {
        summary: 'Cancel a job',
        tags,
        params,
        response: { 200: JobItem, ...refusals },
      },
    },
    async (request) => describeJob(deps, deps.jobs.cancel(find(request.params.id))),
  )

  function find(id: string): Job {
    const job = jobs.get(id)
    if (job === undefined) throw new Refusal('not_found', `There is no job ${id}.`)
    return job
  }
}
