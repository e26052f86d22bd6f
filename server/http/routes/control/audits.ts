import type { FastifyPluginAsync } from 'fastify'
import { appModules } from '../../../audit/app/catalog.ts'
import { describeModule } from '../../../audit/app/verdict-of-module.ts'
import type { Inject } from '../../inject.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { planAppAudit } from './app-audit.ts'
import { control } from './endpoint.ts'

export const auditRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const { audits } = deps

  control(app, 'GET audits/modules', async () => ({ items: appModules.map(describeModule) }))
  control(app, 'GET audits', async () => ({ items: audits.list() }))
  control(app, 'POST audits', async ({ body }) => ({
    id: audits.start(planAppAudit(deps, inject, body)),
  }))
  control(app, 'GET audits/:id', async ({ params }) => audits.get(params.id))
  control(app, 'POST audits/:id/continue', async ({ params, body }) =>
    audits.goOn(params.id, 'continued', body),
  )
  control(app, 'POST audits/:id/skip', async ({ params }) => audits.goOn(params.id, 'skipped'))
  control(app, 'DELETE audits/:id', ({ params }) => audits.stop(params.id))
}
