import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { suggestion } from '../../../contract/suggestion.ts'
import type { StartAuditRequest } from '../../../contract/control-audits.ts'
import type { Deps } from '../../../hub/deps.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import { type DeliveryProfile, profileNamed } from '../../../hub/webhooks/delivery/profiles.ts'
import { findSecretProblem } from '../../../hub/webhooks/delivery/webhook-secret.ts'
import type { WebhookEngine } from '../../../hub/webhooks/engine/engine.ts'
import { auditEvents } from './payloads.ts'

/** Receiver that an audit calls, and how. */
export interface AuditTarget {
  readonly url: string
  readonly secret?: string | undefined
  readonly secretIn: 'header' | 'query'
  readonly profile: DeliveryProfile
  readonly event: string
  /** Absent for a URL without a webhook. */
  readonly webhook?: Webhook | undefined
}

interface TargetDeps extends Pick<Deps, 'state' | 'settings'> {
  engine: Pick<WebhookEngine, 'findTargetProblem'>
}

/**
 * Reads from a request which receiver is audited.
 * @throws {Refusal} that names the wrong part
 */
export function readTarget(deps: TargetDeps, request: StartAuditRequest): AuditTarget {
  const { state, settings, engine } = deps
  const { webhookId, effects, event = 'repo.content.update' } = request
  const webhook = webhookId === undefined ? undefined : state.webhooks.get(webhookId)
  if (webhookId !== undefined && webhook === undefined) {
    throw new Refusal('not_found', `There is no webhook ${webhookId}.`)
  }
  const address = readUrl(request, webhook)
  requireReachable(engine, 'url', address)
  if (effects !== undefined) requireReachable(engine, 'effects', effects)
  if (!auditEvents.includes(event)) {
    refuse(
      'event',
      `There is no event ${event}${suggestion(event, auditEvents)}. Known events: ${auditEvents.join(', ')}.`,
    )
  }
  const profile = profileNamed(request.profile ?? settings.deliveryProfile)
  const { url, secret, secretIn } = readSecret(request, webhook, address)
  const invalid = secret === undefined ? undefined : findSecretProblem(secret, profile)
  if (invalid !== undefined) refuse('secret', invalid)
  return { url, secretIn, profile, event, ...omitUndefined({ secret, webhook }) }
}

function readUrl({ url, webhookId }: StartAuditRequest, webhook: Webhook | undefined): string {
  if ((url === undefined) === (webhookId === undefined)) {
    refuse('url', 'Pass the URL of a receiver or the id of a webhook.')
  }
  if (webhook !== undefined) {
    if (webhook.url !== undefined) return webhook.url
    throw new Refusal('conflict', 'The webhook starts a job and has no receiver to audit.')
  }
  return url ?? ''
}

/** @throws {Refusal} for what is not a URL, and for one that the sandbox does not call */
function requireReachable(engine: TargetDeps['engine'], path: string, address: string): void {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    refuse(path, 'Invalid URL: use one that starts with http:// or https://.')
  }
  const problem = engine.findTargetProblem(new URL(address))
  if (problem !== undefined) refuse(path, problem)
}

/** A webhook has its secret as a header, or in its URL. */
function readSecret(
  { secret: given, secretIn = 'header' }: StartAuditRequest,
  webhook: Webhook | undefined,
  address: string,
): Pick<AuditTarget, 'url' | 'secret' | 'secretIn'> {
  const url = new URL(address)
  const inUrl = url.searchParams.get('secret') ?? undefined
  const secret = given ?? webhook?.secret
  if (secretIn === 'query' || (secret === undefined && inUrl !== undefined)) {
    const value = given ?? inUrl
    url.searchParams.delete('secret')
    return { url: url.href, secret: value, secretIn: 'query' }
  }
  return { url: address, secret, secretIn }
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid', message, { issues: [{ path, message }] })
}
