import type { FastifyPluginAsync } from 'fastify'
import { describeLike, likeRepo, listLikes, unlikeRepo } from '../../../hub/people/likes.ts'
import { marksOn, usersOf } from '../../../hub/people/marks.ts'
import { describePerson } from '../../../hub/people/person-view.ts'
import { requireUser } from '../../../state/lookups.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { sendListPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { registerRepoOfRoute } from '../../plugins/repo-of-route.ts'
import { hub } from './endpoint.ts'
import type { HubServices } from '../../hub-services.ts'

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
