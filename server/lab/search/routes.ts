import type { FastifyPluginAsync } from 'fastify'
import type { Snapshots } from '../../fixtures/snapshots/snapshots.ts'
import type { ServerDeps } from '../server-deps.ts'
import { control } from '../../web/control-route.ts'
import { findByName } from './by-name.ts'
import { findExactly } from './exactly.ts'
import { snapshotHit } from './hits.ts'

/** Limit of hits of each kind. */
const mostOfKind = 6

export const searchRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  snapshots: Pick<Snapshots, 'list'>
}> = async (app, { deps, snapshots }) => {
  control(app, 'POST search', async ({ body }) => {
    const wanted = body.q.trim()
    if (wanted === '') return { items: [] }
    const exact = findExactly(deps, wanted)
    const known = new Set(exact.map(({ kind, id }) => `${kind} ${id}`))
    const named = findByName(deps, wanted, mostOfKind)
    const kept = (await snapshots.list())
      .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
      .slice(0, mostOfKind)
      .map(({ name }) => snapshotHit(name))
    const others = [...named, ...kept].filter(({ kind, id }) => !known.has(`${kind} ${id}`))
    return { items: [...exact, ...others] }
  })
}
