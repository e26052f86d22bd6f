import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { type Repeated, repeatExamples } from '../../../shared/repeat-request.ts'

const secretHeader = 'x-webhook-secret'

type Headers = readonly (readonly string[])[]

/** Current values of a webhook that recorded attempts mask. */
export type Secrets = Pick<WebhookItem, 'url' | 'secret'>

export function hasSecret(headers: Headers): boolean {
  return headers.some(([name = '']) => name.toLowerCase() === secretHeader)
}

// The sandbox masks the documented parameter and a password.
const maskedParameter = /([?&]secret=)\*\*\*(?=[&#]|$)/
const maskedPassword = /^([a-z]+:\/\/[^/?#@:]*:)\*\*\*(?=@)/

/** URL as it was called: restores the masked parts from the webhook's current URL. */
export function shownUrl(url: string, present?: string): string {
  const parameter = /[?&]secret=([^&#]*)/.exec(present ?? '')?.[1]
  const password = /^[a-z]+:\/\/[^/?#@:]*:([^/?#@]*)@/i.exec(present ?? '')?.[1]
  return url
    .replace(maskedParameter, (masked, name: string) =>
      parameter === undefined ? masked : name + parameter,
    )
    .replace(maskedPassword, (masked, user: string) =>
      password === undefined ? masked : user + password,
    )
}

/** Headers as they were sent; `secret` replaces the masked one. */
export function shownHeaders(headers: Headers, secret?: string): [string, string][] {
  return headers.map(([name = '', value = '']) => [
    name,
    secret !== undefined && name.toLowerCase() === secretHeader ? secret : value,
  ])
}

export function payloadText(payload: unknown): string {
  return JSON.stringify(payload, null, 2) ?? ''
}

/** Headers that clients set themselves. */
const ownHeaders = new Set(['host', 'content-length', 'connection'])

export type SentRequest = NonNullable<AttemptItem['request']>

/** Checks whether a request is known as a whole: a body of an audit may be huge, or not be text. */
export function isRepeatable({ sent }: SentRequest): boolean {
  return sent === undefined || (sent.encoding === 'utf-8' && !sent.truncated)
}

/** Request of an attempt with its secrets, to be sent again. */
export function repeated(
  { method, url, headers, sent }: SentRequest,
  payload: unknown,
  secrets: Secrets = {},
): Repeated {
  return {
    method,
    url: shownUrl(url, secrets.url),
    headers: shownHeaders(headers, secrets.secret).filter(
      ([name]) => !ownHeaders.has(name.toLowerCase()),
    ),
    body: method === 'GET' ? undefined : (sent?.body ?? JSON.stringify(payload)),
  }
}

const renderHandler = ({
  scope,
  action,
}: DeliveryItem) => `import { createWebhooks } from 'hub-sandbox/receiver'

const hooks = createWebhooks({ secret: process.env.WEBHOOK_SECRET })

// POST /webhooks/events
hooks.on('${scope}.${action}', (payload, context) => {
  context.defer(() => console.log(payload.event.action, payload.repo.name))
  return { processed: true }
})

await hooks.listen({ port: 3000 })
`

const renderTest = ({
  scope,
  action,
  repo,
  payload,
  messageId = '',
}: DeliveryItem) => `import { expect, test } from 'vitest'

const payload = ${payloadText(payload)}

test('${scope} ${action} of ${repo}', async () => {
  const response = await fetch('http://localhost:3000/webhooks/events', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-webhook-secret': process.env.WEBHOOK_SECRET ?? '',
      'webhook-id': '${messageId}',
    },
    body: JSON.stringify(payload),
  })
  expect(response.status).toBe(200)
})
`

const renderPython = ({ scope, action }: DeliveryItem) => `from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/webhooks/events")
async def webhook(request: Request):
    payload = await request.json()
    event = payload["event"]
    if event["scope"] == "${scope}" and event["action"] == "${action}":
        print(payload["repo"]["name"])
    return {"processed": True}
`

/** Code that handles a delivery, and code that repeats an attempt of it once it was sent. */
export function deliveryExamples(
  delivery: DeliveryItem,
  attempt: AttemptItem | undefined,
  secrets: Secrets | undefined,
) {
  return [
    { label: 'TypeScript', render: () => renderHandler(delivery) },
    // The body of an audit need not be a payload.
    ...(delivery.audit ? [] : [{ label: 'Vitest', render: () => renderTest(delivery) }]),
    { label: 'Python', render: () => renderPython(delivery) },
    ...(attempt?.request && isRepeatable(attempt.request)
      ? repeatExamples(repeated(attempt.request, delivery.payload, secrets))
      : []),
  ]
}
