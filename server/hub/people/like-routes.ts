import type { FastifyPluginAsync } from 'fastify'
import { describeLike, likeRepo, listLikes, unlikeRepo } from './likes.ts'
import { marksOn, usersOf } from './marks.ts'
import { describePerson } from './person-view.ts'
import { requireUser } from '../../store/lookups.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { sendListPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Likes of repos. */
export const likeRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'POST /api/:repo/like', (request) => {
    likeRepo(deps, { repo: request.repo, userId: signedIn(request).user.id })
    return {}
  })

  hub(app, 'DELETE /api/:repo/like', (request) => {
    unlikeRepo(deps, { repo: request.repo, userId: signedIn(request).user.id })
    return {}
  })

  hub(app, 'GET /api/:repo/likers', (request, reply) =>
    sendListPage(
      request,
      reply,
      usersOf(deps, marksOn(deps, 'like', request.repo.id)),
      describePerson,
    ),
  )

  hub(app, 'GET /api/users/:username/likes', (request, reply) => {
    const user = requireUser(deps, request.params.username)
    return sendListPage(request, reply, listLikes(deps, request.principal, user), describeLike)
  })
}
