import { EventCatalog, TriggerRequest, TriggerResult } from '../../contract/control-events.ts'
import { eventCatalog } from '../../hub/catalog.ts'
import { triggerEvent } from '../../webhooks/trigger.ts'
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
