import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { shellQuote } from '../../../lib/shell-quote.ts'
import { words } from '../words.ts'

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

/** Headers that curl sets itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection'])

export type SentRequest = NonNullable<AttemptItem['request']>

/** Request as a runnable command, with its secrets. */
export function toCurl(
  { method, url, headers }: SentRequest,
  payload: unknown,
  secrets: Secrets = {},
): string {
  return [
    `curl -X ${method} ${shellQuote(shownUrl(url, secrets.url))}`,
    ...shownHeaders(headers, secrets.secret)
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    `--data-raw ${shellQuote(JSON.stringify(payload) ?? '')}`,
  ].join(' \\\n  ')
}

export type SnippetLanguage = 'handler' | 'test' | 'python' | 'curl'

const snippets: Record<
  SnippetLanguage,
  (delivery: DeliveryItem, secrets: Secrets | undefined) => string
> = {
  handler: ({ scope, action }) => `import { createWebhooks } from 'hub-sandbox/receiver'

const hooks = createWebhooks({ secret: process.env.WEBHOOK_SECRET })

// POST /webhooks/events
hooks.on('${scope}.${action}', (payload, context) => {
  context.defer(() => console.log(payload.event.action, payload.repo.name))
  return { processed: true }
})

await hooks.listen({ port: 3000 })
`,
  test: ({ scope, action, repo, payload, messageId = '' }) => `import { expect, test } from 'vitest'

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
`,
  python: ({ scope, action }) => `from fastapi import FastAPI, Request

app = FastAPI()


@app.post("/webhooks/events")
async def webhook(request: Request):
    payload = await request.json()
    event = payload["event"]
    if event["scope"] == "${scope}" and event["action"] == "${action}":
        print(payload["repo"]["name"])
    return {"processed": True}
`,
  curl: ({ attempts, payload }, secrets) => {
    const request = attempts.at(-1)?.request
    return request ? toCurl(request, payload, secrets) : words.nothingToRepeat
  },
}

export function snippet(
  language: SnippetLanguage,
  delivery: DeliveryItem,
  secrets: Secrets | undefined,
): string {
  return snippets[language](delivery, secrets)
}
