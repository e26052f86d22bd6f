import { omitUndefined } from '../../core/omit-undefined.ts'
import type { MintedToken, MintTokenRequest } from '../../contract/control-tokens.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { ownOrganizationIds } from './authorization.ts'
import { clientKind } from './client-policy.ts'
import { requestedScopes } from './scope.ts'
import { issueTokens } from './tokens.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { App, FineGrained } from '../../store/entities/oauth-entities.ts'
import { nameKey } from '../../store/state.ts'
import { organizationIds, requireApp, requireUser } from '../../store/lookups.ts'

/**
 * Creates a token without a flow: an OAuth token of an app, or with a role a user access token.
 * @returns the token response as on the wire; `expires_in` in seconds
 * @throws {Refusal} for contradictions and unknown names
 * @throws {Refusal} `invalid_scope` under `strict` for a scope that the app is not configured with
 */
export async function mintToken(deps: OAuthDeps, request: MintTokenRequest): Promise<MintedToken> {
  const user = requireUser(deps, request.user, 'user')
  if (request.role !== undefined) return mintUserToken(deps, user, request)
  for (const path of ['name', 'fineGrained'] as const) {
    if (request[path] === undefined) continue
    throw refuse(path, `Only user access tokens have a ${path}: add a role.`)
  }
  const app =
    request.clientId === undefined
      ? firstPublicApp(deps)
      : requireApp(deps, request.clientId, 'clientId')
  const ticked = organizationIds(deps, request.organizations)
  const { scopes, remark } = requestedScopes(request.scope, app, deps.settings)
  const response = await issueTokens(deps, {
    app,
    userId: user.id,
    grant: 'minted',
    scopes,
    organizationIds: ownOrganizationIds(deps, user, ticked),
    familyId: deps.ids.of('family', app.id, user.id).uuid(),
    authTime: deps.clock.now(),
    refreshable: true,
    ...omitUndefined({ expiresInSeconds: request.expiresIn }),
  })
  return remark === undefined ? response : { ...response, notices: [remark] }
}

function mintUserToken(deps: OAuthDeps, user: User, request: MintTokenRequest): MintedToken {
  const { state, ids, clock, bus } = deps
  const { role = 'read', name, expiresIn, clientId, scope, organizations } = request
  for (const [path, value] of Object.entries({ clientId, scope, organizations })) {
    if (value !== undefined)
      throw refuse(path, 'Not valid for a user access token, which has a role instead.')
  }
  const fineGrained = readRights(deps, request)
  const now = clock.now()
  const expiresAt = expiresIn === undefined ? undefined : now + expiresIn * 1000
  const own = ids.of('user token', user.id)
  const token = state.tokens.put({
    id: own.objectId(),
    // 34 letters or digits: clients refuse a second underscore.
    token: `hf_sandbox${own.alphanumeric(27)}`,
    kind: 'user',
    userId: user.id,
    grant: 'minted',
    scopes: [],
    organizationIds: [],
    role,
    name: name ?? `${user.username}-${role}`,
    ...omitUndefined({ fineGrained }),
    createdAt: now,
    ...omitUndefined({ expiresAt }),
  })
  bus.emit('token.issued', {
    tokenId: token.id,
    userId: user.id,
    grant: 'minted',
    scopes: [],
    ...omitUndefined({ expiresAt }),
  })
  return {
    access_token: token.token,
    token_type: 'bearer',
    ...omitUndefined({ expires_in: expiresIn }),
  }
}

/** Reads the rights of a fine-grained token, with the ids of the named entities. */
function readRights(
  { state }: Pick<OAuthDeps, 'state'>,
  { role, fineGrained }: MintTokenRequest,
): FineGrained | undefined {
  if (role !== 'fineGrained') {
    if (fineGrained === undefined) return undefined
    throw refuse('fineGrained', 'Only fine-grained tokens have their own permissions.')
  }
  const { scoped = [], global = [], canReadGatedRepos = false } = fineGrained ?? {}
  return {
    scoped: scoped.map(({ entity, permissions }, index) => {
      const { type, name } = entity
      const found =
        type === 'user'
          ? state.users.find('name', nameKey(name))
          : type === 'org'
            ? state.organizations.find('name', nameKey(name))
            : type === 'collection'
              ? state.hubCollections.get(name)
              : state.repos.find('name', `${type}/${nameKey(name)}`)
      if (found === undefined) {
        throw refuse(`fineGrained.scoped[${index}].entity.name`, `There is no ${type} ${name}.`)
      }
      return { entity: { _id: found.id, type, name }, permissions: [...permissions] }
    }),
    global: [...global],
    canReadGatedRepos,
  }
}

function firstPublicApp({ state }: Pick<OAuthDeps, 'state'>): App {
  for (const app of state.apps.values()) if (clientKind(app) === 'public') return app
  throw refuse('clientId', 'The sandbox has no public app. Give the clientId of an app.')
}

function refuse(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { issues: [{ path, message }] })
}
