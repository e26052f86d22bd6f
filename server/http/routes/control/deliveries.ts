import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import {
  AttemptItem,
  DeliveryItem,
  DeliveryList,
  DeliveryQuery,
  Idle,
  IdleQuery,
  NotIdle,
  ReplayRequest,
} from '../../../contract/control-deliveries.ts'
import { parseDuration } from '../../../core/duration.ts'
import { Refusal } from '../../../core/refusal.ts'
import { followDeliveries } from './follow-deliveries.ts'
import {
  describeAttempt,
  describeDelivery,
  findDelivery,
  listDeliveries,
  type DeliveryQuery as ActivityQuery,
} from '../../../webhooks/activity.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['deliveries']
const params = Type.Object({ id: Type.String({ description: 'Delivery' }) })

export const deliveryRoutes: ControlRoutes = async (app, { deps }) => {
  const streams = new Set<Readable>()
  // Before the server waits for its answers to end: these go on for ever.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.destroy()
  })

  app.get(
    '/deliveries',
    {
      schema: {
        summary: 'List deliveries, newest first',
        description:
          'With `follow=1` the answer is NDJSON that goes on: all that matches now, oldest first (`cursor` and `limit` do not apply), then a line for each change.',
        tags,
        querystring: DeliveryQuery,
        response: { 200: DeliveryList, ...refusals },
      },
    },
    async ({ query }, reply) => {
      const { follow, since, state, cursor, limit = 100, ...rest } = query
      const wanted: ActivityQuery = {
        ...rest,
        ...(state === undefined ? {} : { state: state.split(',') }),
        ...(since === undefined ? {} : { since: Date.parse(since) }),
      }
      if (follow === undefined) {
        return listDeliveries(deps, {
          ...wanted,
          limit,
          ...omitUndefined({ cursor }),
        })
      }
      const stream = Readable.from(followDeliveries(deps, wanted), { objectMode: false })
      streams.add(stream)
      stream.on('close', () => streams.delete(stream))
      // Node would keep the head back until there is a line, which may be never.
      reply.raw.once('pipe', () => reply.raw.flushHeaders())
      // Not the stream's end, which waits for the next fact to tell.
      if (rest.webhookId !== undefined) {
        reply.raw.once('close', deps.temporaryWebhooks.follow(rest.webhookId))
      }
      // The declared answer is the list; a stream of its items has no schema of its own.
      return reply.header('Content-Type', 'application/x-ndjson').send(stream as never)
    },
  )

  app.get(
    '/deliveries/:id',
    {
      schema: {
        summary: 'One delivery with every attempt',
        tags,
        params,
        response: { 200: DeliveryItem, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params
      const delivery = findDelivery(deps, id)
      if (delivery === undefined) throw new Refusal('not_found', `There is no delivery ${id}.`)
      return delivery
    },
  )

  app.post(
    '/deliveries/:id/replay',
    {
      schema: {
        summary: 'Send a delivery once more, to the present address',
        description: 'With `payload`, a new delivery that is marked as derived.',
        tags,
        params,
        body: Type.Optional(ReplayRequest),
        response: { 200: AttemptItem, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params
      const payload = request.body?.payload
      return describeAttempt(
        payload === undefined
          ? await deps.engine.replay(id)
          : await deps.engine.replayEdited(id, payload),
      )
    },
  )

  app.post(
    '/deliveries/:id/cancel',
    {
      schema: {
        summary: 'Give a delivery up',
        tags,
        params,
        response: { 200: DeliveryItem, ...refusals },
      },
    },
    async (request) => describeDelivery(deps, deps.engine.cancel(request.params.id)),
  )
}

export const idleRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/idle',
    {
      schema: {
        summary: 'Wait until nothing is queued or in flight',
        description:
          'With `waiting=1` retries that wait count, too. 504 names what is outstanding.',
        tags,
        querystring: IdleQuery,
        response: { 200: Idle, 504: NotIdle, ...refusals },
      },
    },
    async ({ query }, reply) => {
      const { timeout = '10s', waiting } = query
      const timeoutMs = parseDuration(timeout)
      if (timeoutMs === undefined) {
        const message = `${timeout} is no duration, such as 10s.`
        throw new Refusal('invalid', message, { issues: [{ path: 'timeout', message }] })
      }
      if (await deps.engine.idle({ timeoutMs, waiting: waiting === '1' }))
        return { idle: true as const }
      const { queued, sending, waiting: retries, deliveries } = deps.engine.outstanding()
      const when = deps.engine.lifetime().aborted ? 'The sandbox stops' : `After ${timeout}`
      reply.code(504)
      return {
        error: 'not_idle' as const,
        message: `${when}: ${queued} queued, ${sending} in flight, ${retries} waiting for a retry.`,
        outstanding: deliveries.map(({ id, webhookId, state, nextRetryAt }) => ({
          deliveryId: id,
          webhookId,
          state,
          ...(nextRetryAt === undefined
            ? {}
            : { nextRetryAt: new Date(nextRetryAt).toISOString() }),
        })),
      }
    },
  )
}
