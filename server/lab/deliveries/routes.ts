import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { parseDuration } from '../../contract/durations.ts'
import { Refusal } from '../../core/refusal.ts'
import { followDeliveries } from './follow-deliveries.ts'
import { createLineStreams } from '../../web/line-streams.ts'
import {
  describeAttempt,
  describeAttemptInRow,
  describeDelivery,
  findDelivery,
  listDeliveries,
  listSendableIds,
  type DeliveryFilter,
} from '../../hub/webhooks/views/activity.ts'
import type { DeliveryFilters, ReplayedMany } from '../../contract/control-deliveries.ts'
import { mostReplays } from '../../contract/words/webhook-words.ts'
import { summarizeMatches } from '../../hub/webhooks/views/delivery-summary.ts'
import type { Replayed } from '../../hub/webhooks/engine/replay-many.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { checkDeliveryFilters } from '../control/filters.ts'
import { readDeliveryFilters } from '../control/queries.ts'
import { pageOf } from '../../web/page.ts'
import { describeStory } from './view.ts'
import { listIssues } from '../overview/summary.ts'

export const deliveryRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const answerLines = createLineStreams(app)

  control(app, 'GET deliveries', async ({ query }, reply) => {
    checkDeliveryFilters(deps, query)
    const { follow, view, cursor, skip, around, limit = 100, ...filters } = query
    const wanted: DeliveryFilter = {
      ...readDeliveryFilters(deps, filters),
      ...omitUndefined({ view }),
    }
    if (follow === undefined) {
      return listDeliveries(deps, { ...wanted, limit, ...omitUndefined({ cursor, skip, around }) })
    }
    if (wanted.audits === true) {
      const message = 'Attempts of audits cannot be followed: list them when the audit has ended.'
      const path = filters.audits === undefined ? 'q' : 'audits'
      throw new Refusal('invalid', message, { issues: [{ path, message }] })
    }
    if (filters.webhookId !== undefined) {
      reply.raw.once('close', deps.temporaryWebhooks.follow(filters.webhookId))
    }
    return answerLines(reply, (hungUp) => followDeliveries(deps, wanted, hungUp))
  })

  control(app, 'GET deliveries/summary', async ({ query }) =>
    summarizeMatches(deps, readList(query)),
  )

  control(app, 'GET deliveries/ids', async ({ query }) => ({
    ids: listSendableIds(deps, readList(query)),
  }))

  function readList({ cursor, ...filters }: DeliveryFilters): DeliveryFilter {
    checkDeliveryFilters(deps, filters)
    return { ...readDeliveryFilters(deps, filters), ...omitUndefined({ cursor }) }
  }

  control(app, 'GET issues', async ({ query }) =>
    pageOf(
      listIssues(deps),
      query,
      ({ id }) => id,
      (issue) => issue,
    ),
  )

  control(app, 'GET deliveries/:id', async (request) => {
    const { id } = request.params
    const delivery = findDelivery(deps, id)
    if (delivery === undefined) throw new Refusal('not_found', `There is no delivery ${id}.`)
    return delivery
  })

  control(app, 'GET deliveries/:id/story', async ({ params: { id } }) => {
    const delivery = deps.state.deliveries.get(id)
    if (delivery === undefined) {
      const message = `There is no delivery ${id}, or it was skipped, or is an attempt of an audit.`
      throw new Refusal('not_found', message)
    }
    return describeStory(deps, delivery)
  })

  control(app, 'POST deliveries/:id/replay', async (request) => {
    const { id } = request.params
    const payload = request.body?.payload
    return describeAttempt(
      payload === undefined
        ? await deps.engine.replay(id)
        : await deps.engine.replayEdited(id, payload),
    )
  })

  control(app, 'POST deliveries/replay', async ({ body }, reply) => {
    const { ids, duplicates = 1 } = body
    if (ids.length * duplicates > mostReplays) {
      const message = `${duplicates} duplicates of ${ids.length} deliveries are more than ${mostReplays}: ask for fewer at once.`
      throw new Refusal('invalid', message, { issues: [{ path: 'duplicates', message }] })
    }
    const hungUp = new AbortController()
    reply.raw.once('close', () => hungUp.abort())
    return describeReplayed(await deps.engine.replayMany(body, hungUp.signal))
  })

  control(app, 'POST deliveries/:id/release', async (request) =>
    describeDelivery(deps, deps.engine.releaseLooping(request.params.id)),
  )

  control(app, 'POST deliveries/:id/cancel', async (request) =>
    describeDelivery(deps, deps.engine.cancel(request.params.id)),
  )
}

function describeReplayed(replayed: readonly Replayed[]): ReplayedMany {
  const count = (wanted: (one: Replayed) => boolean) => replayed.filter(wanted).length
  return {
    items: replayed.map(({ attempt, ...one }) => ({
      ...one,
      ...(attempt && { attempt: describeAttemptInRow(attempt) }),
    })),
    succeeded: count(({ attempt }) => attempt?.outcome === 'succeeded'),
    failed: count(({ attempt }) => attempt !== undefined && attempt.outcome !== 'succeeded'),
    refused: count(({ refused }) => refused !== undefined),
  }
}

export const idleRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET idle', async ({ query }, reply) => {
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
        ...(nextRetryAt === undefined ? {} : { nextRetryAt: isoTime(nextRetryAt) }),
      })),
    }
  })
}
