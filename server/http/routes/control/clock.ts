import { describeClock, moveClock } from '../../../lab/triggers/move-clock.ts'
import { control, type ControlRoutes } from './endpoint.ts'

export const clockRoutes: ControlRoutes = async (app, { deps }) => {
  control(app, 'GET clock', async () => describeClock(deps.clock.read()))
  control(app, 'POST clock', async ({ body }) => moveClock(deps, body))
}
