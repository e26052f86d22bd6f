import { deliveryIdHeader } from '../../core/delivery-marks.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { createHmac } from 'node:crypto'
import type { Attempt, Delivery, DeliveryBody, Webhook } from '../../state/entities/webhooks.ts'
import type { OutgoingRequest } from './wire.ts'
import type { DeliveryProfile } from './profiles.ts'
import { signingKeyOf } from './secret.ts'

const hidden = '***'

export interface RequestInput {
  webhook: Webhook & { url: string }
  delivery: Delivery
  body: DeliveryBody
  profile: DeliveryProfile
  version: string
  /** Real time in milliseconds: receivers live there, and refuse timestamps that are far from it. */
  realNow: number
}

/**
 * The request of a delivery, to the present URL and with the present secret of its webhook.
 * @throws when the profile signs and the secret is no key; `findSendingProblem` tells before
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

/** A request as the log keeps it: secrets stay with the webhook. */
export function recordRequest(request: OutgoingRequest): NonNullable<Attempt['request']> {
  return {
    method: 'POST',
    url: maskUrl(request.url),
    headers: request.headers.map(([name, value]) =>
      name === 'X-Webhook-Secret' ? [name, hidden] : [name, value],
    ),
  }
}

/** Hides the documented `secret` parameter and a password of a URL, or of a reference as in `Location`. */
export function maskUrl(text: string): string {
  if (!/[@?]/.test(text)) return text
  // As text: put together again, the others would not be what was sent.
  const masked = text.replaceAll(/(?<=[?&])[^?&#]+/g, (pair) =>
    new URLSearchParams(pair).has('secret') ? `secret=${hidden}` : pair,
  )
  if (!URL.canParse(masked)) return masked
  const url = new URL(masked)
  if (url.password === '') return masked
  url.password = hidden
  return url.href
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
 * Timestamp and signature; the id is `Webhook-Id` already, since header names have no case.
 * @see https://www.standardwebhooks.com, "Signature scheme"
 */
function standardHeaders({ webhook, delivery, body, realNow }: RequestInput): [string, string][] {
  const timestamp = String(Math.floor(realNow / 1000))
  const headers: [string, string][] = [['Webhook-Timestamp', timestamp]]
  if (webhook.secret === undefined) return headers
  const key = signingKeyOf(webhook.secret)
  if (key === undefined) throw new Error(`the secret of webhook ${webhook.id} is no signing key`)
  const signed = `${delivery.messageId}.${timestamp}.${body.body}`
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  return [...headers, ['Webhook-Signature', `v1,${signature}`]]
}
