import { Refusal } from '../../../core/refusal.ts'
import { listFixes, applyFix } from '../../../lab/fixes/fixes.ts'
import type { RequestRecord } from '../../../requests/log/request-log.ts'
import { control, type ControlRoutes } from './endpoint.ts'

export const fixRoutes: ControlRoutes = async (app, { deps }) => {
  control(app, 'GET flows/:id/fixes', async ({ params }) => listFixes(deps, recordsOf(params.id)))

  control(app, 'POST flows/:id/fixes/:fix', async ({ params }) =>
    applyFix(deps, recordsOf(params.id), params.fix),
  )

  /** @throws {Refusal} `not_found` */
  function recordsOf(id: string): readonly RequestRecord[] {
    const flow = deps.requests.flows.get(id)
    if (flow !== undefined) return flow.records
    throw new Refusal(
      'not_found',
      `Unknown sign-in ${id}: it never existed or was dropped from the log.`,
    )
  }
}
