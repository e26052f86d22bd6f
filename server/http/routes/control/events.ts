import { Empty } from '../../../contract/control.ts'
import {
  EventCatalog,
  RepeatList,
  TriggerRequest,
  TriggerResult,
} from '../../../contract/control-events.ts'
import { Refusal } from '../../../core/refusal.ts'
import { eventCatalog } from '../../../triggers/catalog.ts'
import { triggerEvent } from '../../../triggers/trigger.ts'
import type { Repeat } from '../../../triggers/repeats.ts'
import { Type } from 'typebox'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['events']

export const eventRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/events',
    {
      schema: {
        summary: 'What can be caused by hand, and what it takes',
        tags,
        response: { 200: EventCatalog, ...refusals },
      },
    },
    async () => ({ items: [...eventCatalog] }),
  )

  app.get(
    '/events/repeats',
    {
      schema: {
        summary: 'Triggers that are repeated at a rate and not through yet',
        tags,
        response: { 200: RepeatList, ...refusals },
      },
    },
    async () => ({ items: deps.repeats.list().map(describeRepeat) }),
  )

  app.delete(
    '/events/repeats/:id',
    {
      schema: {
        summary: 'Stop a repeated trigger',
        description: 'What it has caused so far stays and is delivered.',
        tags,
        params: Type.Object({ id: Type.String({ description: 'Repeated trigger' }) }),
        response: { 200: Empty, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params
      if (!deps.repeats.stop(id)) {
        throw new Refusal('not_found', `No trigger ${id} is being repeated; it may be through.`)
      }
      return {}
    },
  )

  app.post(
    '/events',
    {
      schema: {
        summary: 'Cause an event',
        description:
          'Answers at once; the deliveries follow. An `Idempotency-Key` keeps a repeated request from causing it again.',
        tags,
        headers: Type.Object({
          'idempotency-key': Type.Optional(
            Type.String({ minLength: 1, maxLength: 255, description: 'Kept for 24 hours' }),
          ),
        }),
        body: TriggerRequest,
        response: { 202: TriggerResult, ...refusals },
      },
    },
    async ({ body, headers }, reply) => {
      reply.code(202)
      return triggerEvent(deps, deps.engine, body, headers['idempotency-key'])
    },
  )
}

function describeRepeat({ id, request, times, done, perSecond, startedAt }: Repeat) {
  const { event, repo } = request
  const at = new Date(startedAt).toISOString()
  return { id, event, repo, times, done, perSecond, startedAt: at }
}
