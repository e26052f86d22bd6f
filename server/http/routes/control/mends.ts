import { Refusal } from '../../../core/refusal.ts'
import { listMends, makeMend } from '../../../lab/fixes/mends.ts'
import type { RequestRecord } from '../../../requests/log/request-log.ts'
import { control, type ControlRoutes } from './endpoint.ts'

export const mendRoutes: ControlRoutes = async (app, { deps }) => {
  control(app, 'GET flows/:id/mends', async ({ params }) => ({
    items: listMends(deps, recordsOf(params.id)),
  }))

  control(app, 'POST flows/:id/mends/:mend', async ({ params }) =>
    makeMend(deps, recordsOf(params.id), params.mend),
  )

  /** @throws {Refusal} `not_found` */
  function recordsOf(id: string): readonly RequestRecord[] {
    const flow = deps.requests.flows.get(id)
    if (flow !== undefined) return flow.records
    throw new Refusal('not_found', `There is no sign-in ${id} any more, or there never was.`)
  }
}
