import { ClockReading, MoveClockRequest } from '../../../contract/control-clock.ts'
import { describeClock, moveClock } from '../../../triggers/move-clock.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['clock']

export const clockRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/clock',
    {
      schema: {
        summary: 'The time of the sandbox',
        tags,
        response: { 200: ClockReading, ...refusals },
      },
    },
    async () => describeClock(deps.clock.read()),
  )
  app.post(
    '/clock',
    {
      schema: {
        summary: 'Move the time of the sandbox',
        tags,
        body: MoveClockRequest,
        response: { 200: ClockReading, ...refusals },
      },
    },
    async ({ body }) => moveClock(deps, body),
  )
}
