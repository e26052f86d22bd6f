import type { AppItem } from '../../contract/control-apps.ts'
import { frameHost } from '../../contract/frame-host.ts'
import { Refusal } from '../../core/refusal.ts'
import {
  createApp,
  deleteApp,
  deleteSecret,
  rotateSecret,
  updateApp,
} from '../../hub/oauth/apps.ts'
import { revokeConsent } from '../../hub/oauth/consents.ts'
import { readScopes, unknownScopesRemark } from '../../hub/oauth/scope.ts'
import { spaceVariables } from '../../hub/spaces/space-variables.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import type { ServerDeps } from '../server-deps.ts'
import { requireApp, requireUser } from '../../store/lookups.ts'
import { newestFirst, pageOf } from '../../web/page.ts'
import { describeApp } from '../../hub/oauth/app-view.ts'
import { describeConsent } from '../../hub/oauth/token-view.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'

/** Reports the scopes that were left out. */
function scopeNotices({ scopes }: { scopes?: string[] }): { notices?: string[] } {
  const remark = unknownScopesRemark(readScopes(scopes).unknown)
  return remark === undefined ? {} : { notices: [remark] }
}

/** Variables of the Space that an app belongs to. */
function variablesOf(deps: ServerDeps, { spaceId = '' }: App): Pick<AppItem, 'spaceVariables'> {
  const space = deps.state.repos.get(spaceId)
  if (space === undefined) return {}
  const frame = deps.frames.list().findLast((one) => one.space === space.name)
  const host = frame && frameHost(new URL(deps.settings.baseUrl).hostname, frame.port)
  return { spaceVariables: spaceVariables(deps, space, host) }
}

export const appRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { state } = deps
  const describe = (item: App) => ({ ...describeApp(deps, item), ...variablesOf(deps, item) })

  control(app, 'GET apps', async ({ query }) =>
    pageOf(state.apps.values(), query, ({ id }) => id, describe),
  )

  control(app, 'POST apps', async ({ body }) => ({
    ...describe(createApp(deps, body)),
    ...scopeNotices(body),
  }))

  control(app, 'GET apps/:clientId', async (request) =>
    describe(requireApp(deps, request.params.clientId)),
  )

  control(app, 'PATCH apps/:clientId', async (request) => {
    const found = requireApp(deps, request.params.clientId)
    const updated = updateApp(deps, found, request.body)
    return { ...describe(updated), ...scopeNotices(request.body) }
  })

  control(app, 'DELETE apps/:clientId', async (request) => {
    deleteApp(deps, requireApp(deps, request.params.clientId))
    return {}
  })

  control(app, 'GET apps/:clientId/snippets', async (request) => {
    const found = requireApp(deps, request.params.clientId)
    const { spaceId } = found
    // With the code of all recipes, which a start has no use for.
    const { listSnippets } = await import('../snippets/snippets.ts')
    return {
      items: listSnippets({
        app: found,
        url: deps.settings.baseUrl,
        largeFiles: deps.settings.largeFiles,
        space: spaceId === undefined ? undefined : state.repos.get(spaceId)?.name,
        certificatePath: deps.clientFiles.certificatePath,
      }),
    }
  })

  control(app, 'POST apps/:clientId/secret', async (request) => {
    const { clientSecret } = rotateSecret(deps, requireApp(deps, request.params.clientId))
    return { clientSecret }
  })

  control(app, 'DELETE apps/:clientId/secret', async (request) => {
    deleteSecret(deps, requireApp(deps, request.params.clientId))
    return {}
  })

  control(app, 'GET consents', async ({ query }) =>
    pageOf(
      newestFirst(state.consents.values()),
      query,
      ({ id }) => id,
      (item) => describeConsent(deps, item),
    ),
  )

  control(app, 'DELETE consents', async ({ query }) => {
    const user = requireUser(deps, query.user, 'user')
    if (!revokeConsent(deps, user.id, query.clientId)) {
      throw new Refusal('not_found', `${user.username} has not allowed this app anything.`)
    }
    return {}
  })
}
