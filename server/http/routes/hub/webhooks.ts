import type { AccessAction } from '../../../hub/access/access-rules.ts'
import { isObject } from '../../../core/is-object.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { CreateWebhookBody, UpdateWebhookBody } from '../../../contract/hub-webhooks.ts'
import type { HubServices } from '../../hub-services.ts'
import { permit } from '../../../hub/access/access.ts'
import { omitNulls } from '../../../core/omit-nulls.ts'
import { refuseIssues, Refusal } from '../../../core/refusal.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import type { User } from '../../../state/entities/accounts.ts'
import type { Webhook } from '../../../state/entities/webhooks.ts'
import {
  createWebhook,
  deleteWebhook,
  hubWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  updateWebhook,
} from '../../../webhooks/manage/management.ts'

const tags = ['webhooks']
const params = Type.Object({ id: Type.String({ description: '24 hex digits' }) })
const replayParams = Type.Object({
  ...params.properties,
  logId: Type.String({ description: 'Id of the delivery' }),
})

/** The hub's webhook settings: each user manages their own. */
export const hubWebhookRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const forUsersTo = (action: AccessAction) => ({
    config: { needsUser: true as const, actions: [action] as const },
    preValidation: takeNullsAsAbsent,
  })
  const description = 'A null member counts as absent, because many clients send all members.'

  app.get(
    '/api/settings/webhooks',
    { config: { actions: ['webhooks'] }, schema: { summary: 'List your webhooks', tags } },
    (request) => listWebhooks(deps, ownerOf(request)).map(hubWebhook),
  )

  app.post(
    '/api/settings/webhooks',
    {
      ...forUsersTo('webhooks'),
      schema: { summary: 'Create a webhook', description, tags, body: CreateWebhookBody },
    },
    (request) => {
      const owner = ownerOf(request)
      permitJob(request, owner, request.body)
      return answer(createWebhook(deps, owner, hubFieldsOf(request.body)))
    },
  )

  app.get(
    '/api/settings/webhooks/:id',
    { config: { actions: ['webhooks'] }, schema: { summary: 'Get a webhook', tags, params } },
    (request) => answer(webhookOf(request)),
  )

  app.post(
    '/api/settings/webhooks/:id',
    {
      ...forUsersTo('webhooks'),
      schema: {
        summary: 'Change a webhook',
        description,
        tags,
        params,
        body: UpdateWebhookBody,
      },
    },
    (request) => {
      const webhook = webhookOf(request)
      permitJob(request, ownerOf(request), request.body)
      return answer(updateWebhook(deps, webhook, hubFieldsOf(request.body)))
    },
  )

  app.post(
    '/api/settings/webhooks/:id/enable',
    {
      config: { actions: ['webhooks'] },
      schema: { summary: 'Enable a webhook and lift its suspension', tags, params },
    },
    (request) => answer(enableWebhook(deps, webhookOf(request))),
  )

  app.post(
    '/api/settings/webhooks/:id/disable',
    { config: { actions: ['webhooks'] }, schema: { summary: 'Disable a webhook', tags, params } },
    (request) => answer(disableWebhook(deps, webhookOf(request))),
  )

  app.delete(
    '/api/settings/webhooks/:id',
    { config: { actions: ['webhooks'] }, schema: { summary: 'Delete a webhook', tags, params } },
    (request) => {
      deleteWebhook(deps, webhookOf(request))
      return {}
    },
  )

  app.post(
    '/api/settings/webhooks/:id/replay/:logId',
    {
      config: { actions: ['webhooks'] },
      schema: {
        summary: 'Replay a delivery',
        tags,
        params: replayParams,
      },
    },
    (request) => {
      const webhook = webhookOf(request)
      const { logId } = request.params
      if (deps.state.deliveries.get(logId)?.webhookId !== webhook.id) {
        throw new Refusal('not_found', 'Delivery not found', {
          detail: `webhook ${webhook.id} has no delivery ${logId}`,
        })
      }
      return replay(logId)
    },
  )

  async function replay(logId: string): Promise<{ status: number | undefined }> {
    const { status, error, jobId } = await deps.engine.replay(logId)
    if (error !== undefined && (status === undefined || jobId !== undefined)) {
      // There is no status, and 200 would suggest success.
      throw new Refusal('unreachable', `The replay failed: ${error.message}`, {
        facts: { class: error.class },
      })
    }
    return { status: jobId === undefined ? status : 200 }
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
