import { Type } from 'typebox'
import { Empty, PageQuery } from '../../../contract/control.ts'
import {
  CreateWebhookRequest,
  Recovered,
  RecoverRequest,
  UpdateWebhookRequest,
  WebhookItem,
  WebhookList,
} from '../../../contract/control-webhooks.ts'
import { Refusal } from '../../../core/refusal.ts'
import { pageOf } from './page.ts'
import { describeWebhook } from './views/webhooks.ts'
import { createWebhookByHand, updateWebhookByHand } from '../../../webhooks/by-hand.ts'
import type { Webhook } from '../../../state/entities/webhooks.ts'
import { deleteWebhook } from '../../../webhooks/management.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['webhooks']
const params = Type.Object({ id: Type.String({ description: 'Webhook' }) })

export const webhookRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/webhooks',
    {
      schema: {
        summary: 'List webhooks of all users',
        tags,
        querystring: PageQuery,
        response: { 200: WebhookList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(
        deps.state.webhooks.values(),
        query,
        ({ id }) => id,
        (webhook) => describeWebhook(deps, webhook),
      ),
  )

  app.post(
    '/webhooks',
    {
      schema: {
        summary: 'Make a webhook',
        tags,
        body: CreateWebhookRequest,
        response: { 201: WebhookItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeWebhook(deps, createWebhookByHand(deps, body))
    },
  )

  app.get(
    '/webhooks/:id',
    {
      schema: { summary: 'One webhook', tags, params, response: { 200: WebhookItem, ...refusals } },
    },
    async (request) => describeWebhook(deps, find(request.params.id)),
  )

  app.patch(
    '/webhooks/:id',
    {
      schema: {
        summary: 'Change a webhook, enable or disable it, hold or release its deliveries',
        tags,
        params,
        body: UpdateWebhookRequest,
        response: { 200: WebhookItem, ...refusals },
      },
    },
    async (request) =>
      describeWebhook(deps, updateWebhookByHand(deps, find(request.params.id), request.body)),
  )

  app.delete(
    '/webhooks/:id',
    {
      schema: { summary: 'Delete a webhook', tags, params, response: { 200: Empty, ...refusals } },
    },
    async (request) => {
      deleteWebhook(deps, find(request.params.id))
      return {}
    },
  )

  app.post(
    '/webhooks/:id/recover',
    {
      schema: {
        summary: 'Send what failed or was cancelled again',
        tags,
        params,
        body: RecoverRequest,
        response: { 200: Recovered, ...refusals },
      },
    },
    async (request) => {
      const { id } = find(request.params.id)
      const since = Date.parse(request.body.since)
      return { deliveries: deps.engine.recover({ webhookId: id, since }).length }
    },
  )

  function find(id: string): Webhook {
    const webhook = deps.state.webhooks.get(id)
    if (webhook === undefined) throw new Refusal('not_found', `There is no webhook ${id}.`)
    return webhook
  }
}
