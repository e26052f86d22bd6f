import { deliveryIdHeader } from '../../../core/delivery-marks.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { createHmac } from 'node:crypto'
import type {
  Attempt,
  Delivery,
  DeliveryBody,
  Webhook,
} from '../../../store/entities/webhook-entities.ts'
import { maskUrl } from '../../../core/mask-url.ts'
import type { OutgoingRequest } from '../../../web/outgoing/wire.ts'
import type { DeliveryProfile } from './profiles.ts'
import { signingKeyOf } from './webhook-secret.ts'

const hidden = '***'

export interface RequestInput {
  webhook: Pick<Webhook, 'id' | 'secret' | 'acceptSelfSigned' | 'ca'> & { url: string }
  delivery: Pick<Delivery, 'id' | 'messageId' | 'scope' | 'action' | 'attempts'>
  body: Pick<DeliveryBody, 'body'>
  profile: DeliveryProfile
  version: string
  /** Real time in milliseconds: receivers use it, and refuse timestamps that differ from it. */
  realNow: number
}

/**
 * Builds the request of a delivery with the current URL and secret of its webhook.
 * @throws when the profile signs and the secret is not a key; check with `findSendingProblem` before
 */
export function buildRequest(input: RequestInput): OutgoingRequest {
  const { webhook, delivery, body, profile } = input
  return {
    url: webhook.url,
    headers: [
      ['Content-Type', 'application/json'],
      ['User-Agent', `hub-sandbox/${input.version}`],
      [deliveryIdHeader, delivery.messageId],
      ...(webhook.secret === undefined ? [] : [['X-Webhook-Secret', webhook.secret] as const]),
      ...extraHeaders(input),
    ],
    body: body.body,
    deadlineMs: profile.deadlineMs,
    connectTimeoutMs: profile.connectTimeoutMs,
    ...(webhook.acceptSelfSigned === true && { acceptSelfSigned: true }),
    ...omitUndefined({ ca: webhook.ca }),
  }
}

/** Returns the request for the log, with the secret masked. */
export function recordRequest(request: OutgoingRequest): NonNullable<Attempt['request']> {
  return {
    method: request.method ?? 'POST',
    url: maskUrl(request.url),
    headers: request.headers.map(([name, value]) =>
      name === 'X-Webhook-Secret' && value !== '' ? [name, hidden] : [name, value],
    ),
  }
}

function extraHeaders(input: RequestInput): (readonly [string, string])[] {
  const { delivery, profile } = input
  switch (profile.extraHeaders) {
    case 'sandbox':
      return [
        ['X-Sandbox-Event', `${delivery.scope}.${delivery.action}`],
        ['X-Sandbox-Delivery', delivery.id],
        ['X-Sandbox-Attempt', String(delivery.attempts + 1)],
      ]
    case 'standard-webhooks':
      return standardHeaders(input)
    default:
      return []
  }
}

/**
 * Returns timestamp and signature; `Webhook-Id` already has the id, since header names are case-insensitive.
 * @see https://www.standardwebhooks.com, "Signature scheme"
 */
function standardHeaders({ webhook, delivery, body, realNow }: RequestInput): [string, string][] {
  const timestamp = String(Math.floor(realNow / 1000))
  const headers: [string, string][] = [['Webhook-Timestamp', timestamp]]
  if (webhook.secret === undefined) return headers
  const key = signingKeyOf(webhook.secret)
  if (key === undefined) throw new Error(`the secret of webhook ${webhook.id} is not a signing key`)
  const signed = `${delivery.messageId}.${timestamp}.${body.body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  return [...headers, ['Webhook-Signature', `v1,${signature}`]]
}
