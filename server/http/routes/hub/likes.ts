import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { PageQuery } from '../../../contract/hub-people.ts'
import { describeLike, likeRepo, listLikes, unlikeRepo } from '../../../hub/people/likes.ts'
import { marksOn, usersOf } from '../../../hub/people/marks.ts'
import { describePerson } from '../../../hub/people/person-view.ts'
import { requireUser } from '../../../state/lookups.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { sendListPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { registerRepoOfRoute, repoApiRoute, repoParams } from '../../plugins/repo-of-route.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['likes']
const ofUser = Type.Object({ username: Type.String({ description: 'User name' }) })

/** Likes of repos. */
export const likeRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  // A user who sees the repo may like it; an app may not, since no scope permits it.
  const config = { repoAction: 'repo.read' as const, accountAction: 'account' as const }

  app.post(
    `${repoApiRoute}/like`,
    { config, schema: { summary: 'Like a repo', tags, params: repoParams } },
    (request) => {
      likeRepo(deps, { repo: request.repo, userId: signedIn(request).user.id })
      return {}
    },
  )

  app.delete(
    `${repoApiRoute}/like`,
    { config, schema: { summary: 'Take back a like', tags, params: repoParams } },
    (request) => {
      unlikeRepo(deps, { repo: request.repo, userId: signedIn(request).user.id })
      return {}
    },
  )

  app.get(
    `${repoApiRoute}/likers`,
    {
      config: { repoAction: 'repo.read' },
      schema: {
        summary: 'List the users who like a repo',
        tags,
        params: repoParams,
        querystring: PageQuery,
      },
    },
    (request, reply) =>
      sendListPage(
        request,
        reply,
        usersOf(deps, marksOn(deps, 'like', request.repo.id)),
        describePerson,
      ),
  )

  app.get(
    '/api/users/:username/likes',
    {
      config: { actions: ['repo.read'] },
      schema: {
        summary: 'List the likes of a user',
        tags,
        params: ofUser,
        querystring: PageQuery,
      },
    },
    (request, reply) => {
      const user = requireUser(deps, request.params.username)
      return sendListPage(request, reply, listLikes(deps, request.principal, user), describeLike)
    },
  )
}
