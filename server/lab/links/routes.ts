import { isoTime } from '../../core/time.ts'
import type { LinkItem } from '../../contract/control-sandbox.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Link } from './links.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'

export const linkRoutes: ControlRoutes<ServerDeps> = async (app, { deps: { links } }) => {
  control(app, 'GET links', async () => ({ items: (await links.list()).map(describe) }))
  control(app, 'POST links', async ({ body }) => {
    const link = await links.create(body)
    return describe(link)
  })
  control(app, 'POST links/:id/wake', async (request) => {
    const link = await links.wake(request.params.id)
    if (link === undefined) throw unknownLink(request.params.id)
    return describe(link)
  })
  control(app, 'DELETE links/:id', async (request) => {
    const { id } = request.params
    if (!(await links.remove(id))) throw unknownLink(id)
    return {}
  })
}

function unknownLink(id: string): Refusal {
  return new Refusal('not_found', `There is no link ${id}.`)
}

function describe({ expiresAt, ...link }: Link): LinkItem {
  return { ...link, expiresAt: isoTime(expiresAt) }
}
