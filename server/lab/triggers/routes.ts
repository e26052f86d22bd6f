import { eventCatalog } from './event-catalog.ts'
import { triggerEvent } from './trigger.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'

export const eventRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET events', async () => ({ items: [...eventCatalog] }))

  control(app, 'GET events/last', async () => ({ ...deps.lastTrigger }))

  control(app, 'POST events', async ({ body, headers }) =>
    triggerEvent(deps, deps.engine, body, headers['idempotency-key']),
  )
}
