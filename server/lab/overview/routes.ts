import { Health } from '../../contract/control-health.ts'
import { kindOfFact } from '../../contract/fact-kinds.ts'
import { formatDuration } from '../../core/duration.ts'
import { isoTime } from '../../core/time.ts'
import { controlTokenRefusal } from '../../web/plugins/control-guard.ts'
import { describeClock } from '../clock/move-clock.ts'
import { describeOverview } from './overview.ts'
import { pageOf } from '../../web/page.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Health check; without the control token it returns only the status. */
export const healthRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { settings, clock } = deps
  app.get<{ Reply: Health }>(
    '/_sandbox/health',
    {
      schema: {
        summary: 'Check that the sandbox is up',
        tags: ['sandbox'],
        response: { 200: Health },
      },
    },
    async ({ headers }) => {
      if (controlTokenRefusal(settings, headers) !== undefined) return { status: 'ok' }
      return {
        status: 'ok',
        version: settings.version,
        uptime: formatDuration(Math.floor(deps.uptimeMs() / 1000) * 1000),
        clock: describeClock(clock.read()),
      }
    },
  )
}

export const overviewRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const startedAt = Date.now() - deps.uptimeMs()
  control(app, 'GET overview', async () => describeOverview(deps, startedAt))

  control(app, 'GET facts', async ({ query: { kind, since, ...page } }) => {
    const from = since === undefined ? -Infinity : Date.parse(since)
    const all = deps.live.notable()
    const oldest = all.at(-1)
    const list = pageOf(
      all.filter(
        ({ type, time }) => time >= from && (kind === undefined || kindOfFact(type) === kind),
      ),
      page,
      ({ seq }) => String(seq),
      deps.live.describe,
    )
    const kept = {
      ...(oldest !== undefined && { since: isoTime(oldest.time) }),
      dropped: deps.live.droppedNotable,
    }
    return { ...list, kept }
  })
}
