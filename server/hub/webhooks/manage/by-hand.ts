import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
} from '../../../contract/control-webhooks.ts'
import type { Deps } from '../../deps.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import type { WebhookEngine } from '../engine/engine.ts'
import { createWebhook, disableWebhook, enableWebhook, updateWebhook } from './management.ts'
import { requireUser } from '../../../store/lookups.ts'

interface ByHandDeps extends Deps {
  readonly engine: WebhookEngine
}

/**
 * Creates a webhook for any user.
 * @throws {Refusal} `invalid` with every mistake, or for an unknown user
 */
export function createWebhookByHand(
  deps: ByHandDeps & { readonly temporaryWebhooks: { lease(webhook: Webhook): Webhook } },
  { owner, user, jobId, temporary, actsAs, ...request }: CreateWebhookRequest,
): Webhook {
  const path = user === undefined ? 'owner' : 'user'
  const username = owner ?? user
  if (username === undefined) throw invalidOwner(path, 'Missing owner: name a user.')
  if (owner !== undefined && user !== undefined) {
    throw invalidOwner(path, 'user is the former name of owner: pass owner only.')
  }
  const given = {
    ...request,
    ...omitUndefined({ jobSourceId: jobId, actsAs: userIdOf(deps, actsAs) }),
  }
  const webhook = createWebhook(deps, requireUser(deps, username, path), given, 'jobId')
  return temporary === true ? deps.temporaryWebhooks.lease(webhook) : webhook
}

/** @throws {Refusal} `invalid` for an unknown user */
function userIdOf(deps: Pick<Deps, 'state'>, actsAs: string | undefined): string | undefined {
  return actsAs === undefined ? undefined : requireUser(deps, actsAs, 'actsAs').id
}

function invalidOwner(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { issues: [{ path, message }] })
}

/**
 * Changes any webhook: `null` removes an optional member, `status` enables or disables, `held` holds or releases,
 * `replayWhenBack` waits for the receiver.
 * @throws {Refusal} `invalid` with every mistake
 */
export function updateWebhookByHand(
  deps: ByHandDeps,
  webhook: Webhook,
  {
    status,
    held,
    replayWhenBack,
    jobId,
    name,
    secret,
    ca,
    actsAs,
    ...request
  }: UpdateWebhookRequest,
): Webhook {
  const { state, bus, engine } = deps
  const actor = userIdOf(deps, actsAs ?? undefined)
  const optional = { name, secret, ca, actsAs: actsAs === null ? null : actor }
  const given = Object.fromEntries(
    Object.entries(optional).filter(([, value]) => typeof value === 'string'),
  )
  const removed = (['name', 'secret', 'ca', 'actsAs'] as const).filter(
    (key) => optional[key] === null,
  )
  const changes = { ...request, ...given, ...omitUndefined({ jobSourceId: jobId }) }
  updateWebhook(deps, webhook, changes, 'jobId')
  if (removed.length > 0) {
    const copy = { ...present(deps, webhook) }
    for (const key of removed) delete copy[key]
    state.webhooks.put(copy)
    bus.emit('webhook.updated', { webhookId: webhook.id, changed: removed })
  }
  if (status === 'enabled') enableWebhook(deps, present(deps, webhook))
  if (status === 'disabled') disableWebhook(deps, present(deps, webhook))
  if (held === true) engine.hold(webhook.id)
  if (held === false) engine.release(webhook.id)
  if (replayWhenBack === true) engine.replayWhenBack(webhook.id)
  if (replayWhenBack === false) engine.stopWaiting(webhook.id)
  return present(deps, webhook)
}

function present({ state }: Pick<Deps, 'state'>, webhook: Webhook): Webhook {
  return state.webhooks.get(webhook.id) ?? webhook
}
