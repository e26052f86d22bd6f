import { omitUndefined } from '../core/omit-undefined.ts'
import type { Reception } from './receptions.ts'
import type { WebhookPayload } from './payload.ts'
import type { Webhooks } from './create-webhooks.ts'

export { fixture, payloadNames, type Overrides } from './fixture.ts'

export interface SignedRequestOptions {
  /** Name of the endpoint. Default: `events`, that of `on()`. */
  endpoint?: string
  /** Default: `WEBHOOK_SECRET`. */
  secret?: string
  /** Id of the delivery that this is an attempt of. */
  webhookId?: string
  headers?: Record<string, string>
}

/** Creates a delivery as the Hub sends it, for any receiver that takes a `Request`. */
export function signedRequest(
  payload: WebhookPayload,
  options: SignedRequestOptions = {},
): Request {
  const { endpoint = 'events', secret = process.env['WEBHOOK_SECRET'], webhookId } = options
  return new Request(`http://localhost/webhooks/${endpoint}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...omitUndefined({ 'x-webhook-secret': secret, 'webhook-id': webhookId }),
      ...options.headers,
    },
    body: JSON.stringify(payload),
  })
}

/** Delivers a payload to a receiver without a server, and waits for deferred work. */
export async function receive(
  webhooks: Pick<Webhooks, 'fetch' | 'idle'>,
  payload: WebhookPayload,
  options: SignedRequestOptions = {},
): Promise<Response> {
  const response = await webhooks.fetch(signedRequest(payload, options))
  await webhooks.idle()
  return response
}

/** Expected payload of `toHaveHandled`; omitted members match anything. */
export type HandledEvent = Partial<Pick<Reception, 'endpoint' | 'scope' | 'action' | 'repo'>>

/**
 * Matchers for `expect.extend(webhookMatchers)` in vitest and jest:
 * `expect(webhooks).toHaveHandled({ scope: 'repo.content', action: 'update' })`.
 * Refused, failed and repeated deliveries do not count.
 *
 * Declare them once for TypeScript. In vitest:
 *
 *     import type { WebhookMatchers } from 'hub-sandbox/testing'
 *     declare module 'vitest' {
 *       interface Matchers<T> extends WebhookMatchers<T> {}
 *     }
 *
 * In jest: `declare global { namespace jest { interface Matchers<R> extends WebhookMatchers<R> {} } }`.
 */
export const webhookMatchers = {
  toHaveHandled(webhooks: Pick<Webhooks, 'receptions'>, expected: HandledEvent) {
    const handled = webhooks.receptions.filter(
      ({ status, duplicate }) => status < 300 && duplicate !== true,
    )
    if (webhooks.receptions.length === 0) {
      throw new Error('toHaveHandled() had nothing to judge: the receiver received nothing')
    }
    const wanted = Object.entries(expected) as [keyof HandledEvent, string][]
    const pass = handled.some((one) => wanted.every(([key, value]) => one[key] === value))
    const seen = webhooks.receptions.map((one) => JSON.stringify(one)).join('\n')
    return {
      pass,
      message: () =>
        `expected the receiver ${pass ? 'not ' : ''}to have handled ${JSON.stringify(expected)}; it received:\n${seen}`,
    }
  },
}

/** Types of {@link webhookMatchers}. */
export interface WebhookMatchers<R = unknown> {
  toHaveHandled(expected: HandledEvent): R
}
