import { filtered, pageOf } from '../../web/page.ts'
import {
  createRepoByHand,
  deleteRepoByHand,
  findRepoByHand,
  updateRepoByHand,
} from './repos-by-hand.ts'
import { describeRepo, describeRepoInDetail } from './control-view.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'
import { loadXetHashes } from '../xet/hashes.ts'

export const repoRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  control(app, 'GET repos', async ({ query }) => {
    const search = query.search?.toLowerCase() ?? ''
    return pageOf(
      filtered(
        deps.state.repos.values(),
        ({ type, name }) =>
          (query.type === undefined || type === query.type) && name.toLowerCase().includes(search),
      ),
      query,
      ({ id }) => id,
      (repo) => describeRepo(deps, repo),
    )
  })

  control(app, 'POST repos', async ({ body }) => {
    if (body.type === 'bucket') await loadXetHashes()
    return describeRepoInDetail(deps, createRepoByHand(deps, body))
  })

  control(app, 'GET repos/*', async (request) =>
    describeRepoInDetail(deps, findRepoByHand(deps, request.params['*'])),
  )

  control(app, 'PATCH repos/*', async (request) => {
    const { type } = findRepoByHand(deps, request.params['*'])
    if (type === 'bucket') await loadXetHashes()
    const repo = findRepoByHand(deps, request.params['*'])
    return describeRepoInDetail(deps, updateRepoByHand(deps, repo, request.body))
  })

  control(app, 'DELETE repos/*', async (request) => {
    deleteRepoByHand(deps, findRepoByHand(deps, request.params['*']))
    return {}
  })
}
