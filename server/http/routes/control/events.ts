import { isoTime } from '../../../core/time.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { eventCatalog } from '../../../lab/triggers/catalog.ts'
import { triggerEvent } from '../../../lab/triggers/trigger.ts'
import type { Repeat } from '../../../lab/triggers/repeats.ts'
import { control, type ControlRoutes } from './endpoint.ts'

export const eventRoutes: ControlRoutes = async (app, { deps }) => {
  control(app, 'GET events', async () => ({ items: [...eventCatalog] }))

  control(app, 'GET events/last', async () => omitUndefined({ request: deps.repeats.last }))

  control(app, 'GET events/repeats', async () => ({
    items: deps.repeats.list().map(describeRepeat),
  }))

  control(app, 'DELETE events/repeats/:id', async (request) => {
    const { id } = request.params
    if (!deps.repeats.stop(id)) {
      throw new Refusal('not_found', `Unknown repeated trigger ${id}: it may have finished.`)
    }
    return {}
  })

  control(app, 'POST events', async ({ body, headers }) =>
    triggerEvent(deps, deps.engine, body, headers['idempotency-key']),
  )
}

function describeRepeat({ id, request, times, done, perSecond, startedAt }: Repeat) {
  const { event, repo } = request
  const at = isoTime(startedAt)
  return { id, event, repo, times, done, perSecond, startedAt: at }
}
