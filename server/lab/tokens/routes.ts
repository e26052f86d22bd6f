import { Refusal } from '../../core/refusal.ts'
import { revokeAccessToken } from '../../hub/access/revoke-token.ts'
import { requireUser } from '../../store/lookups.ts'
import { mintToken } from '../../hub/oauth/mint-token.ts'
import { filtered, newestFirst, pageOf } from '../../web/page.ts'
import { describeTokenHistory, describeTokenRights } from './token-story.ts'
import { describeToken, tokenState } from '../../hub/oauth/token-view.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { checkAppFilter } from '../control/filters.ts'

export const tokenRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { tokens } = deps.state

  control(app, 'GET tokens', async ({ query }) => {
    const user = query.user === undefined ? undefined : requireUser(deps, query.user, 'user')
    checkAppFilter(deps, query.clientId)
    const candidates =
      user !== undefined
        ? newestFirst(tokens.group('user', user.id))
        : query.clientId !== undefined
          ? newestFirst(tokens.group('client', query.clientId))
          : tokens.newestFirst()
    const wanted = filtered(
      candidates,
      (token) =>
        (query.clientId === undefined || token.clientId === query.clientId) &&
        (query.state === undefined || tokenState(deps, token) === query.state),
    )
    return pageOf(
      wanted,
      query,
      ({ id }) => id,
      (token) => describeToken(deps, token),
    )
  })

  control(app, 'POST tokens', async ({ body }) => mintToken(deps, body))

  control(app, 'GET tokens/:id', async (request) => describeToken(deps, find(request.params.id)))

  control(app, 'GET tokens/:id/history', async (request) =>
    describeTokenHistory(deps, find(request.params.id)),
  )

  control(app, 'GET tokens/:id/rights', async (request) =>
    describeTokenRights(deps, find(request.params.id)),
  )

  control(app, 'DELETE tokens/:id', async (request) => {
    revokeAccessToken(deps, find(request.params.id), 'it was revoked in the sandbox')
    return {}
  })

  function find(id: string): AccessToken {
    const token = tokens.get(id) ?? tokens.find('token', id)
    if (token === undefined) throw new Refusal('not_found', 'There is no such token.')
    return token
  }
}
