import { Health, Overview } from '../../../contract/control-health.ts'
import { formatDuration } from '../../../core/duration.ts'
import { hasControlToken } from '../../plugins/control-guard.ts'
import { describeClock } from '../../../triggers/move-clock.ts'
import { describeOverview } from './overview.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

/** Answers without the control token, too: then only that it is there. */
export const healthRoutes: ControlRoutes = async (app, { deps }) => {
  const { settings, clock } = deps
  const startedAt = performance.now()
  app.get(
    '/_sandbox/health',
    {
      schema: {
        summary: 'Whether the sandbox is up',
        tags: ['sandbox'],
        response: { 200: Health },
      },
    },
    async ({ headers }) => {
      const { controlToken } = settings
      if (controlToken !== undefined && !hasControlToken(controlToken, headers)) {
        return { status: 'ok' as const }
      }
      return {
        status: 'ok' as const,
        version: settings.version,
        uptime: formatDuration(Math.floor((performance.now() - startedAt) / 1000) * 1000),
        clock: describeClock(clock.read()),
      }
    },
  )
}

export const overviewRoutes: ControlRoutes = async (app, { deps }) => {
  const startedAt = Date.now()
  app.get(
    '/overview',
    {
      schema: {
        summary: 'What the sandbox is and holds',
        tags: ['sandbox'],
        response: { 200: Overview, ...refusals },
      },
    },
    async () => describeOverview(deps, startedAt),
  )
}
