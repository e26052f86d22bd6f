import { isoTime } from '../../core/time.ts'
import { Refusal } from '../../core/refusal.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { FindClient } from '../../hub/oauth/client-authentication.ts'
import { answerDevice, findPendingDevice } from '../../hub/oauth/device-authorization.ts'
import { endSession, startSession } from '../../hub/oauth/sessions.ts'
import { noteRefusal, noteRemark } from '../../web/plugins/refusals.ts'
import { cookieOfPort } from '../../web/plugins/cookies.ts'
import { sessionCookie } from '../../hub/http/session-cookie.ts'
import { authorizationStandIn, deviceStandIn } from './stand-ins.ts'
import { flowIdsOfDevices } from '../../inspect/flows/device-flows.ts'
import { authorizeWithoutBrowser } from '../../hub/oauth/authorize-without-browser.ts'
import { organizationIds, requireUser } from '../../store/lookups.ts'
import { newestFirst, pageOf } from '../../web/page.ts'
import { describeDevice, describeSession } from './view.ts'
import type { FastifyPluginAsync } from 'fastify'
import { control, type ControlRoutes } from '../../web/control-route.ts'

export const authorizeRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  findClient: FindClient
}> = async (app, { deps, findClient }) => {
  control(
    app,
    'POST authorize',
    async (request) => {
      const { redirectTo, remark } = await authorizeWithoutBrowser(deps, findClient, request.body)
      noteRemark(request, remark)
      const answer = new URL(redirectTo).searchParams
      const error = answer.get('error')
      if (error !== null) noteRefusal(request, error, answer.get('error_description') ?? error)
      return { redirectTo }
    },
    { standsFor: ({ body }) => authorizationStandIn(deps, body) },
  )
}

export const sessionRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { sessions } = deps.state

  control(app, 'GET sessions', async ({ query }) => {
    const now = deps.clock.now()
    return pageOf(
      newestFirst(sessions.values()).filter(({ expiresAt }) => expiresAt > now),
      query,
      ({ id }) => id,
      (session) => describeSession(deps, session),
    )
  })

  control(app, 'POST sessions', async ({ body }) => {
    const session = startSession(deps, requireUser(deps, body.user, 'user'))
    return {
      name: cookieOfPort(sessionCookie, deps.settings),
      value: session.id,
      expiresAt: isoTime(session.expiresAt),
    }
  })

  control(app, 'DELETE sessions/:id', async ({ params }) => {
    if (!sessions.has(params.id)) throw new Refusal('not_found', 'There is no such session.')
    endSession(deps, params.id)
    return {}
  })
}

export const deviceRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET device', async ({ query }) => {
    const flowIds = flowIdsOfDevices(deps.requests)
    return pageOf(
      newestFirst(deps.state.deviceAuthorizations.values()),
      query,
      ({ id }) => id,
      (device) => describeDevice(deps, device, flowIds.get(device.userCode)),
    )
  })

  control(
    app,
    'POST device/:userCode',
    async ({ params, body }) => {
      const user = requireUser(deps, body.user, 'user')
      answerDevice(deps, {
        authorization: findPendingDevice(deps, params.userCode),
        user,
        decision: body.decision,
        organizationIds: organizationIds(deps, body.organizations),
        authTime: deps.clock.now(),
      })
      return { status: body.decision === 'approve' ? ('approved' as const) : ('denied' as const) }
    },
    { standsFor: ({ params, body }) => deviceStandIn(deps, params, body) },
  )
}
