import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'

export const maskedSecret = '••••••••'
const secretHeader = 'x-webhook-secret'

/** Headers as they were sent; the secret only where the reader asked to see it. */
export function shownHeaders(
  headers: readonly (readonly string[])[],
  revealed: boolean,
): [string, string][] {
  return headers.map(([name = '', value = '']) => [
    name,
    name.toLowerCase() === secretHeader && !revealed ? maskedSecret : value,
  ])
}

export function payloadText(payload: unknown): string {
  return JSON.stringify(payload, null, 2) ?? ''
}

/** Single quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Headers that curl sets itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection'])

export type SentRequest = NonNullable<AttemptItem['request']>

/** The request as a command that can be run; its secret stands in it, or it would be refused. */
export function toCurl(request: SentRequest, payload: unknown): string {
  const { method, url, headers } = request
  return [
    `curl -X ${method} ${quote(url)}`,
    ...headers
      .filter(([name = '']) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    `--data-raw ${quote(JSON.stringify(payload) ?? '')}`,
  ].join(' \\\n  ')
}

export type SnippetLanguage = 'handler' | 'test' | 'python' | 'curl'

const snippets: Record<SnippetLanguage, (delivery: DeliveryItem) => string> = {
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
  curl: ({ attempts, payload }) => {
    const request = attempts.at(-1)?.request
    return request
      ? toCurl(request, payload)
      : '# Nothing was sent yet, so there is no request to repeat.'
  },
}

export function snippet(language: SnippetLanguage, delivery: DeliveryItem): string {
  return snippets[language](delivery)
}
