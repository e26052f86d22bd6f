import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isObject } from '../../core/is-object.ts'
import type { UpdateWebhookBody } from '../../contract/hub-webhooks.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { permit } from '../access/access.ts'
import { omitNulls } from '../../core/omit-nulls.ts'
import { refuseIssues, Refusal } from '../../core/refusal.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { Webhook } from '../../store/entities/webhook-entities.ts'
import {
  createWebhook,
  deleteWebhook,
  hubWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  updateWebhook,
} from './manage/management.ts'

/** The hub's webhook settings: each user manages their own. */
export const hubWebhookRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(app, 'GET /api/settings/webhooks', (request) =>
    listWebhooks(deps, ownerOf(request)).map(hubWebhook),
  )

  hub(
    app,
    'POST /api/settings/webhooks',
    (request) => {
      const owner = ownerOf(request)
      permitJob(request, owner, request.body)
      return answer(createWebhook(deps, owner, hubFieldsOf(request.body)))
    },
    { preValidation: takeNullsAsAbsent },
  )

  hub(app, 'GET /api/settings/webhooks/:id', (request) => answer(webhookOf(request)))

  hub(
    app,
    'POST /api/settings/webhooks/:id',
    (request) => {
      const webhook = webhookOf(request)
      permitJob(request, ownerOf(request), request.body)
      return answer(updateWebhook(deps, webhook, hubFieldsOf(request.body)))
    },
    { preValidation: takeNullsAsAbsent },
  )

  hub(app, 'POST /api/settings/webhooks/:id/enable', (request) =>
    answer(enableWebhook(deps, webhookOf(request))),
  )

  hub(app, 'POST /api/settings/webhooks/:id/disable', (request) =>
    answer(disableWebhook(deps, webhookOf(request))),
  )

  hub(app, 'DELETE /api/settings/webhooks/:id', (request) => {
    deleteWebhook(deps, webhookOf(request))
    return {}
  })

  hub(app, 'POST /api/settings/webhooks/:id/replay/:logId', (request) => {
    const webhook = webhookOf(request)
    const { logId } = request.params
    if (deps.state.deliveries.get(logId)?.webhookId !== webhook.id) {
      throw new Refusal('not_found', 'Delivery not found', {
        detail: `webhook ${webhook.id} has no delivery ${logId}`,
      })
    }
    return replay(logId)
  })

  async function replay(logId: string): Promise<{ status: number }> {
    const { status, error, jobId } = await deps.engine.replay(logId)
    const sent = jobId === undefined ? status : 200
    if (sent !== undefined && (error === undefined || jobId === undefined)) return { status: sent }
    // There is no status, and 200 would suggest success.
    throw new Refusal('unreachable', `The replay failed: ${error?.message ?? 'no response'}`, {
      facts: { class: error?.class },
    })
  }

  function ownerOf(request: FastifyRequest): User {
    permit(deps, request.principal, { action: 'webhooks' })
    return signedIn(request).user
  }

  function webhookOf(request: FastifyRequest): Webhook {
    const { id } = request.params as { id: string }
    return findWebhook(deps, ownerOf(request), id)
  }

  /** Checks the right to run jobs, since a webhook can start them. */
  function permitJob({ principal }: FastifyRequest, owner: User, body: UpdateWebhookBody): void {
    if (body.job === undefined && (body.jobSourceId ?? '') === '') return
    permit(deps, principal, { action: 'jobs', ownerId: owner.id })
  }
}

/** Removes nulls: releases of the Python client (0.36, 1.4) send null for every missing argument. */
function takeNullsAsAbsent(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const { body } = request
  if (isObject(body)) {
    request.body = omitNulls(body)
  }
  done()
}

/** Names of `jobSourceId` in the Python client and in the control API. */
const otherNamesOfSource = ['job_id', 'jobId'] as const

/**
 * Picks the hub's fields; the sandbox's own settings of a webhook belong to the control API.
 * @throws {Refusal} `invalid` for a job under another name: ignored, the webhook would start none
 */
function hubFieldsOf<T extends UpdateWebhookBody>(body: T): T {
  refuseIssues(
    otherNamesOfSource
      .filter((name) => Object.hasOwn(body, name))
      .map((path) => ({ path, message: `The Hub's API calls ${path} jobSourceId.` })),
  )
  const { url, job, jobSourceId, secrets, watched, domains, secret } = body
  return { url, job, jobSourceId, secrets, watched, domains, secret } as T
}

function answer(webhook: Webhook) {
  return { webhook: hubWebhook(webhook) }
}
