import { describeClock, moveClock, previewClock } from './move-clock.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'

export const clockRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET clock', async () => describeClock(deps.clock.read()))
  control(app, 'GET clock/preview', async ({ query }) => previewClock(deps, query))
  control(app, 'POST clock', async ({ body }) => moveClock(deps, body))
}
