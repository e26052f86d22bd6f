import { Type } from 'typebox'
import { Empty } from '../../../contract/control.ts'
import {
  AppItem,
  AppList,
  AppSecret,
  ConsentList,
  CreateAppRequest,
  RevokeConsentQuery,
  UpdateAppRequest,
} from '../../../contract/control-apps.ts'
import { PageQuery } from '../../../contract/control.ts'
import { Refusal } from '../../../core/refusal.ts'
import { createApp, deleteApp, deleteSecret, rotateSecret, updateApp } from '../../../oauth/apps.ts'
import { revokeConsent } from '../../../oauth/consents.ts'
import { requireApp, requireUser } from '../../../state/lookups.ts'
import { newestFirst, pageOf } from './page.ts'
import { describeApp } from './views/apps.ts'
import { describeConsent } from './views/tokens.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['apps']
const params = Type.Object({ clientId: Type.String({ description: '`client_id`' }) })

export const appRoutes: ControlRoutes = async (app, { deps }) => {
  const { state } = deps

  app.get(
    '/apps',
    {
      schema: {
        summary: 'List apps',
        tags,
        querystring: PageQuery,
        response: { 200: AppList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        state.apps.values(),
        query,
        ({ id }) => id,
        (item) => describeApp(deps, item),
      ),
  )

  app.post(
    '/apps',
    {
      schema: {
        summary: 'Register an app',
        tags,
        body: CreateAppRequest,
        response: { 201: AppItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeApp(deps, createApp(deps, body))
    },
  )

  app.get(
    '/apps/:clientId',
    { schema: { summary: 'One app', tags, params, response: { 200: AppItem, ...refusals } } },
    async (request) => describeApp(deps, requireApp(deps, request.params.clientId)),
  )

  app.patch(
    '/apps/:clientId',
    {
      schema: {
        summary: 'Change an app',
        tags,
        params,
        body: UpdateAppRequest,
        response: { 200: AppItem, ...refusals },
      },
    },
    async (request) => {
      const found = requireApp(deps, request.params.clientId)
      return describeApp(deps, updateApp(deps, found, request.body))
    },
  )

  app.delete(
    '/apps/:clientId',
    {
      schema: {
        summary: 'Delete an app and all it was issued',
        tags,
        params,
        response: { 200: Empty, ...refusals },
      },
    },
    async (request) => {
      deleteApp(deps, requireApp(deps, request.params.clientId))
      return {}
    },
  )

  app.post(
    '/apps/:clientId/secret',
    {
      schema: {
        summary: 'Make a new secret; the old one stops working at once',
        tags,
        params,
        response: { 200: AppSecret, ...refusals },
      },
    },
    async (request) => {
      const { clientSecret } = rotateSecret(deps, requireApp(deps, request.params.clientId))
      return { clientSecret }
    },
  )

  app.delete(
    '/apps/:clientId/secret',
    {
      schema: {
        summary: 'Delete the secret, which makes the app public',
        tags,
        params,
        response: { 200: Empty, ...refusals },
      },
    },
    async (request) => {
      deleteSecret(deps, requireApp(deps, request.params.clientId))
      return {}
    },
  )

  app.get(
    '/consents',
    {
      schema: {
        summary: 'List what users have allowed apps',
        tags,
        querystring: PageQuery,
        response: { 200: ConsentList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        newestFirst(state.consents.values()),
        query,
        ({ id }) => id,
        (item) => describeConsent(deps, item),
      ),
  )

  app.delete(
    '/consents',
    {
      schema: {
        summary: 'Disconnect an app from a user',
        tags,
        querystring: RevokeConsentQuery,
        response: { 200: Empty, ...refusals },
      },
    },
    async ({ query }) => {
      const user = requireUser(deps, query.user, 'user')
      if (!revokeConsent(deps, user.id, query.clientId)) {
        throw new Refusal('not_found', `${user.username} has not allowed this app anything.`)
      }
      return {}
    },
  )
}
