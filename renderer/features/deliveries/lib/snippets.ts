import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { shellQuote } from '../../../lib/shell-quote.ts'

const secretHeader = 'x-webhook-secret'

type Headers = readonly (readonly string[])[]

export function hasSecret(headers: Headers): boolean {
  return headers.some(([name = '']) => name.toLowerCase() === secretHeader)
}

/** Headers as they were sent. Attempts are kept with a masked secret; `secret` puts the present one in. */
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

/** The request as a command that can be run; the secret stands in it, or it would be refused. */
export function toCurl(
  { method, url, headers }: SentRequest,
  payload: unknown,
  secret?: string,
): string {
  return [
    `curl -X ${method} ${shellQuote(url)}`,
    ...shownHeaders(headers, secret)
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    `--data-raw ${shellQuote(JSON.stringify(payload) ?? '')}`,
  ].join(' \\\n  ')
}

export type SnippetLanguage = 'handler' | 'test' | 'python' | 'curl'

const snippets: Record<
  SnippetLanguage,
  (delivery: DeliveryItem, secret: string | undefined) => string
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
  curl: ({ attempts, payload }, secret) => {
    const request = attempts.at(-1)?.request
    return request
      ? toCurl(request, payload, secret)
      : '# Nothing was sent yet, so there is no request to repeat.'
  },
}

export function snippet(
  language: SnippetLanguage,
  delivery: DeliveryItem,
  secret: string | undefined,
): string {
  return snippets[language](delivery, secret)
}
