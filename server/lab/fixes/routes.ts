import { listFixes, applyFix } from './fixes.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { requireFlow } from '../../inspect/log/logged.ts'

export const fixRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET flows/:id/fixes', async ({ params }) =>
    listFixes(deps, requireFlow(deps.requests, params.id).records),
  )

  control(app, 'POST flows/:id/fixes/:fix', async ({ params }) =>
    applyFix(deps, requireFlow(deps.requests, params.id).records, params.fix),
  )
}
