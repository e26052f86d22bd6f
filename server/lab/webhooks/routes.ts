import { Refusal } from '../../core/refusal.ts'
import { pageOf } from '../../web/page.ts'
import { describeWebhook } from '../../hub/webhooks/control-view.ts'
import { describeWebhookStatistics } from '../../hub/webhooks/statistics-view.ts'
import { createWebhookByHand, updateWebhookByHand } from '../../hub/webhooks/manage/by-hand.ts'
import type { Webhook } from '../../store/entities/webhook-entities.ts'
import { deleteWebhook } from '../../hub/webhooks/manage/management.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'

export const webhookRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET webhooks', async ({ query }) =>
    pageOf(
      deps.state.webhooks.values(),
      query,
      ({ id }) => id,
      (webhook) => describeWebhook(deps, webhook),
    ),
  )

  control(app, 'POST webhooks', async ({ body }) =>
    describeWebhook(deps, createWebhookByHand(deps, body)),
  )

  control(app, 'GET webhooks/:id', async (request) =>
    describeWebhook(deps, find(request.params.id)),
  )

  control(app, 'GET webhooks/:id/statistics', async ({ params, query }) => {
    const since = query.since === undefined ? undefined : Date.parse(query.since)
    return describeWebhookStatistics(deps, find(params.id), since)
  })

  control(app, 'PATCH webhooks/:id', async (request) =>
    describeWebhook(deps, updateWebhookByHand(deps, find(request.params.id), request.body)),
  )

  control(app, 'DELETE webhooks/:id', async (request) => {
    deleteWebhook(deps, find(request.params.id))
    return {}
  })

  control(app, 'POST webhooks/:id/recover', async (request) => {
    const { id } = find(request.params.id)
    const since = Date.parse(request.body.since)
    return { deliveries: deps.engine.recover({ webhookId: id, since }).length }
  })

  function find(id: string): Webhook {
    const webhook = deps.state.webhooks.get(id)
    if (webhook === undefined) throw new Refusal('not_found', `There is no webhook ${id}.`)
    return webhook
  }
}
