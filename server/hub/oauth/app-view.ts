import { isoTime } from '../../core/time.ts'
import type { AppItem } from '../../contract/control-apps.ts'
import { formatDuration } from '../../core/duration.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { settingsScopes } from './scope.ts'
import { requiredOrganizationIds } from '../../store/required-organizations.ts'
import { accountName, organizationRef, present, type ViewDeps } from '../access/refs.ts'
import { tokenState } from './token-view.ts'

export function describeApp(deps: ViewDeps, app: App): AppItem {
  const { ownerId, organizationId, tokenDurationSeconds, spaceId } = app
  const required = requiredOrganizationIds(app)
  const space = spaceId === undefined ? undefined : deps.state.repos.get(spaceId)
  const tokens = deps.state.tokens.group('client', app.id)
  return {
    clientId: app.id,
    name: app.name,
    origin: app.origin,
    public: app.clientSecret === undefined,
    ...present(app, 'clientSecret', 'logoUri', 'clientUri', 'policyUri', 'tosUri'),
    redirectUris: app.redirectUris,
    scopes: [...settingsScopes(app)],
    ...(ownerId === undefined ? {} : { owner: accountName(deps, ownerId) }),
    ...(organizationId === undefined ? {} : { organization: accountName(deps, organizationId) }),
    privileges: app.privileges,
    ...(tokenDurationSeconds === undefined
      ? {}
      : { tokenDuration: formatDuration(tokenDurationSeconds * 1000) }),
    ...(required === undefined
      ? {}
      : { authorizedOrganizations: required.map((id) => organizationRef(deps, id).name) }),
    ...(space === undefined ? {} : { space: space.name }),
    activeTokens: tokens.filter((token) => tokenState(deps, token) === 'active').length,
    createdAt: isoTime(app.createdAt),
  }
}
