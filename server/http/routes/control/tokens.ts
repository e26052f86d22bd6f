import { Type } from 'typebox'
import { Empty } from '../../../contract/control.ts'
import {
  MintedToken,
  MintTokenRequest,
  TokenItem,
  TokenList,
  TokenQuery,
} from '../../../contract/control-tokens.ts'
import { Refusal } from '../../../core/refusal.ts'
import { revokeAccessToken } from '../../../oauth/tokens.ts'
import { requireUser } from '../../../state/lookups.ts'
import { mintToken } from '../../../oauth/mint-token.ts'
import { newestFirst, pageOf } from './page.ts'
import { describeToken, tokenState } from './views/tokens.ts'
import type { AccessToken } from '../../../state/entities/oauth.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['tokens']
const params = Type.Object({ id: Type.String({ description: 'Id, or the token itself' }) })

export const tokenRoutes: ControlRoutes = async (app, { deps }) => {
  const { tokens } = deps.state

  app.get(
    '/tokens',
    {
      schema: {
        summary: 'List access tokens',
        tags,
        querystring: TokenQuery,
        response: { 200: TokenList, ...refusals },
      },
    },
    async ({ query }) => {
      const user = query.user === undefined ? undefined : requireUser(deps, query.user, 'user')
      const candidates =
        user !== undefined
          ? tokens.group('user', user.id)
          : query.clientId !== undefined
            ? tokens.group('client', query.clientId)
            : [...tokens.values()]
      const wanted = candidates.filter(
        (token) =>
          (query.clientId === undefined || token.clientId === query.clientId) &&
          (query.state === undefined || tokenState(deps, token) === query.state),
      )
      return pageOf(
        newestFirst(wanted),
        query,
        ({ id }) => id,
        (token) => describeToken(deps, token),
      )
    },
  )

  app.post(
    '/tokens',
    {
      schema: {
        summary: 'Mint an access token',
        description: 'A token of an app, or, with `role`, a user access token.',
        tags,
        body: MintTokenRequest,
        response: { 200: MintedToken, ...refusals },
      },
    },
    async ({ body }) => mintToken(deps, body),
  )

  app.get(
    '/tokens/:id',
    { schema: { summary: 'One token', tags, params, response: { 200: TokenItem, ...refusals } } },
    async (request) => describeToken(deps, find(request.params.id)),
  )

  app.delete(
    '/tokens/:id',
    { schema: { summary: 'Revoke a token', tags, params, response: { 200: Empty, ...refusals } } },
    async (request) => {
      revokeAccessToken(deps, find(request.params.id), 'it was revoked in the sandbox')
      return {}
    },
  )

  function find(id: string): AccessToken {
    const token = tokens.get(id) ?? tokens.find('token', id)
    if (token === undefined) throw new Refusal('not_found', 'There is no such token.')
    return token
  }
}
