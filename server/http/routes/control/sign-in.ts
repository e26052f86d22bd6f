import { Type } from 'typebox'
import { Empty, PageQuery } from '../../../contract/control.ts'
import {
  AuthorizeRequest,
  AuthorizeResult,
  DecideDeviceRequest,
  DecidedDevice,
  DeviceList,
  SessionList,
  StartedSession,
  StartSessionRequest,
} from '../../../contract/control-sign-in.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { ServerDeps } from '../../server-deps.ts'
import type { FindClient } from '../../../oauth/client-authentication.ts'
import { answerDevice, findPendingDevice } from '../../../oauth/device-authorization.ts'
import { endSession, startSession } from '../../../oauth/sessions.ts'
import { noteRefusal } from '../../plugins/refusals.ts'
import { sessionCookie } from '../../plugins/principal.ts'
import { authorizationStandIn, deviceStandIn } from './stand-ins.ts'
import { authorizeWithoutBrowser } from '../../../oauth/authorize-without-browser.ts'
import { organizationIds, requireUser } from '../../../state/lookups.ts'
import { newestFirst, pageOf } from './page.ts'
import { describeDevice, describeSession } from './views/sign-in.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['sign-in']

export const authorizeRoutes: FastifyPluginAsyncTypebox<{
  deps: ServerDeps
  findClient: FindClient
}> = async (app, { deps, findClient }) => {
  app.post(
    '/authorize',
    {
      config: { standsFor: ({ body }) => authorizationStandIn(deps, body) },
      schema: {
        summary: 'Sign in without a browser',
        description:
          'The parameters of an authorization request and what the user says; answers where the browser would be sent. 400 where the hub would show its error page.',
        tags,
        body: AuthorizeRequest,
        response: { 200: AuthorizeResult, ...refusals },
      },
    },
    async (request) => {
      const redirectTo = await authorizeWithoutBrowser(deps, findClient, request.body)
      const told = new URL(redirectTo).searchParams
      const error = told.get('error')
      if (error !== null) noteRefusal(request, error, told.get('error_description') ?? error)
      return { redirectTo }
    },
  )
}

export const sessionRoutes: ControlRoutes = async (app, { deps }) => {
  const { sessions } = deps.state

  app.get(
    '/sessions',
    {
      schema: {
        summary: 'List signed-in browsers',
        tags,
        querystring: PageQuery,
        response: { 200: SessionList, ...refusals },
      },
    },
    async ({ query }) => {
      const now = deps.clock.now()
      return pageOf(
        newestFirst(sessions.values()).filter(({ expiresAt }) => expiresAt > now),
        query,
        ({ id }) => id,
        (session) => describeSession(deps, session),
      )
    },
  )

  app.post(
    '/sessions',
    {
      schema: {
        summary: 'The cookie of a signed-in browser',
        tags,
        body: StartSessionRequest,
        response: { 200: StartedSession, ...refusals },
      },
    },
    async ({ body }) => {
      const session = startSession(deps, requireUser(deps, body.user, 'user'))
      return {
        name: sessionCookie,
        value: session.id,
        expiresAt: new Date(session.expiresAt).toISOString(),
      }
    },
  )

  app.delete(
    '/sessions/:id',
    {
      schema: {
        summary: 'Sign a browser out',
        tags,
        params: Type.Object({ id: Type.String({ description: 'Value of the cookie' }) }),
        response: { 200: Empty, ...refusals },
      },
    },
    async ({ params }) => {
      if (!sessions.has(params.id)) throw new Refusal('not_found', 'There is no such session.')
      endSession(deps, params.id)
      return {}
    },
  )
}

export const deviceRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/device',
    {
      schema: {
        summary: 'List device authorizations',
        tags,
        querystring: PageQuery,
        response: { 200: DeviceList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        newestFirst(deps.state.deviceAuthorizations.values()),
        query,
        ({ id }) => id,
        (device) => describeDevice(deps, device),
      ),
  )

  app.post(
    '/device/:userCode',
    {
      config: { standsFor: ({ params, body }) => deviceStandIn(deps, params, body) },
      schema: {
        summary: 'Answer for a device, as its user',
        tags,
        params: Type.Object({ userCode: Type.String({ description: 'As shown on the device' }) }),
        body: DecideDeviceRequest,
        response: { 200: DecidedDevice, ...refusals },
      },
    },
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
  )
}
