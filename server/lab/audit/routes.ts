import type { FastifyPluginAsync } from 'fastify'
import { appModules } from './app/app-catalog.ts'
import { describeModule } from './app/verdict-of-module.ts'
import { receiverModules } from './receiver/receiver-catalog.ts'
import { describeReceiverModule } from './receiver/receiver-module.ts'
import { planReceiverAudit } from './receiver/receiver-plan.ts'
import { stormModules } from './receiver/storm.ts'
import type { PlannedAudit } from './runs.ts'
import type { StartAuditRequest } from '../../contract/control-audits.ts'
import { performance } from '../../core/timers.ts'
import { reportOfAudit } from '../report/audit-report.ts'
import { fileNameOf, renderReport } from '../report/formats.ts'
import type { Inject } from '../../web/inject.ts'
import type { ServerDeps } from '../server-deps.ts'
import { planAppAudit } from './start-app-audit.ts'
import { control } from '../../web/control-route.ts'

export const auditRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const { audits } = deps

  control(app, 'GET audits/modules', async () => ({
    items: [
      ...appModules.map(describeModule),
      ...[...receiverModules, ...stormModules].map(describeReceiverModule),
    ],
  }))
  control(app, 'GET audits', async () => ({ items: audits.list() }))
  control(app, 'POST audits', async ({ body }) => ({
    id: audits.start(planAudit(deps, inject, body)),
  }))
  control(app, 'GET audits/:id', async ({ params }) => audits.get(params.id))
  control(app, 'GET audits/:id/report', async ({ params, query: { format } }) => ({
    filename: fileNameOf('audit', format),
    text: renderReport(format, reportOfAudit(audits.get(params.id), { level: 'error' })),
  }))
  control(app, 'POST audits/:id/continue', async ({ params, body }) =>
    audits.goOn(params.id, 'continued', body),
  )
  control(app, 'POST audits/:id/skip', async ({ params }) => audits.goOn(params.id, 'skipped'))
  control(app, 'DELETE audits/:id', ({ params }) => audits.stop(params.id))
}

function planAudit(deps: ServerDeps, inject: Inject, request: StartAuditRequest): PlannedAudit {
  if (request.kind === 'app') return planAppAudit(deps, inject, request)
  return planReceiverAudit({ ...deps, stopwatch: () => performance.now() }, request)
}
