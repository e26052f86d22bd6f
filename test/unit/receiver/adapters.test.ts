import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import type { Webhooks } from '../../../server/receiver/index.ts'
import type { Summary } from '../../../server/receiver/landing-page.ts'
import { fixture } from '../../../server/receiver/testing.ts'
import { createGate, quietWebhooks } from './kit.ts'

type Close = () => unknown
const closers: Close[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// What Bun, Deno and Workers do natively: a platform that speaks Request and Response.
function fetchPlatform(webhooks: Webhooks): RequestListener {
  const { fetch: handle } = webhooks
  return (message, reply) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const bodiless = message.method === 'GET' || message.method === 'HEAD'
      const request = new Request(`http://${message.headers.host}${message.url}`, {
        method: message.method ?? 'GET',
        headers: message.headers as Record<string, string>,
        ...(bodiless ? {} : { body: Buffer.concat(chunks) }),
      })
      void handle(request).then(async (response) => {
        reply.statusCode = response.status
        reply.setHeaders(response.headers)
        reply.end(Buffer.from(await response.arrayBuffer()))
      })
    })
  }
}

const hosts: Record<string, (webhooks: Webhooks) => Promise<string>> = {
  fetch: (webhooks) => serve(fetchPlatform(webhooks)),
  node: (webhooks) => serve(webhooks.node()),
  listen: async (webhooks) => {
    const { url, close } = await webhooks.listen({ port: 0 })
    closers.push(close)
    return url
  },
  express: (webhooks) => {
    const app = express()
    app.use(webhooks.express())
    app.use(express.json())
    app.post('/own', (request, response) => void response.json(request.body))
    return serve(app)
  },
  fastify: async (webhooks) => {
    const app = fastify({ forceCloseConnections: true })
    await app.register(webhooks.fastify())
    app.post('/own', (request) => request.body)
    closers.push(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
}

const valid = JSON.stringify(fixture('repo.content.update'))
const signed = { 'content-type': 'application/json', 'x-webhook-secret': 'abc' }
const asJson = { 'content-type': 'application/json', 'cache-control': 'no-store' }

interface Row {
  title: string
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  status: number
  answer?: unknown
  expected?: Record<string, string>
}

const rows: Row[] = [
  { title: 'JSON of the handler', status: 200, answer: { got: 'repo.content' }, expected: asJson },
  { title: 'a handler without a result', path: '/webhooks/silent', status: 204 },
  {
    title: 'a Response of the handler',
    path: '/webhooks/own-response',
    status: 202,
    answer: { mine: true },
    expected: { 'x-mine': 'yes', 'set-cookie': 'a=1, b=2' },
  },
  { title: 'a handler that fails', path: '/webhooks/broken', status: 500, expected: asJson },
  { title: 'a query', path: '/webhooks/echo?x=1', status: 200 },
  {
    title: 'no secret',
    headers: { 'content-type': 'application/json' },
    status: 401,
    answer: { error: 'x-webhook-secret header not set.' },
    expected: asJson,
  },
  {
    title: 'a wrong secret',
    headers: { ...signed, 'x-webhook-secret': 'nope' },
    status: 403,
    answer: { error: 'Invalid webhook secret.' },
  },
  { title: 'an unknown endpoint', path: '/webhooks/nowhere', status: 404 },
  { title: 'a path that climbs', path: '/webhooks/a/%2e%2e/echo', status: 200 },
  { title: 'PUT', method: 'PUT', status: 405, expected: { allow: 'POST' } },
  { title: 'DELETE', method: 'DELETE', status: 405, expected: { allow: 'POST' } },
  { title: 'OPTIONS', method: 'OPTIONS', status: 405, expected: { allow: 'POST' } },
  { title: 'a body that is too large', body: `"${'a'.repeat(2 ** 20)}"`, status: 413 },
  {
    title: 'a body without length that is too large',
    headers: { ...signed, 'transfer-encoding': 'chunked' },
    body: `"${'a'.repeat(3 * 2 ** 20)}"`,
    status: 413,
  },
  { title: 'text', headers: { ...signed, 'content-type': 'text/plain' }, status: 415 },
  { title: 'no content type', headers: { 'x-webhook-secret': 'abc' }, status: 415 },
  { title: 'an odd content type', headers: { ...signed, 'content-type': 'nonsense' }, status: 415 },
  { title: 'broken JSON', body: '{"event":', status: 422, expected: asJson },
  { title: 'an empty body', body: '', status: 422 },
  { title: 'JSON of another shape', body: '{}', status: 422 },
  {
    title: 'the list of endpoints',
    path: '/webhooks',
    method: 'GET',
    headers: {},
    status: 200,
    expected: asJson,
  },
]

// Not fetch: it cannot send OPTIONS without length, nor a POST without content type.
function send(url: string, row: Row): Promise<{ status: number; text: string; headers: Headers }> {
  return new Promise((resolve, reject) => {
    const { path = '/webhooks/echo', method = 'POST', headers = signed } = row
    const body = method === 'POST' ? (row.body ?? valid) : ''
    const length =
      'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = httpRequest(
      url + path,
      { method, headers: { ...headers, ...(method === 'POST' ? length : {}) } },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        incoming.on('end', () => {
          const received = Object.entries(incoming.headers).map(([name, value]) => [
            name,
            String(Array.isArray(value) ? value.join(', ') : value),
          ])
          resolve({
            status: incoming.statusCode ?? 0,
            text,
            headers: new Headers(received as [string, string][]),
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function table() {
  const { webhooks } = quietWebhooks()
  webhooks.endpoint('echo', ({ event }) => ({ got: event.scope }))
  webhooks.endpoint('silent', () => undefined)
  webhooks.endpoint('own-response', () => {
    const answer = Response.json({ mine: true }, { status: 202, headers: { 'x-mine': 'yes' } })
    answer.headers.append('set-cookie', 'a=1')
    answer.headers.append('set-cookie', 'b=2')
    return answer
  })
  webhooks.endpoint('broken', () => Promise.reject(new Error('no')))
  return webhooks
}

describe.each(Object.entries(hosts))('%s', (_name, host) => {
  test.each(rows)('returns $status to $title', async (row) => {
    const { status, text, headers } = await send(await host(table()), row)
    expect(status).toBe(row.status)
    expect(Object.fromEntries(headers)).toMatchObject(row.expected ?? {})
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    expect(body).toEqual(row.answer ?? body)
    expect(typeof (body as { error?: unknown } | undefined)?.error).toBe(
      row.status >= 400 ? 'string' : 'undefined',
    )
  })

  test('passes the received bytes on unchanged', async () => {
    const { webhooks } = quietWebhooks()
    let bytes: Uint8Array | undefined
    webhooks.endpoint('echo', (_payload, { rawBody }) => {
      bytes = rawBody
    })
    const body = ` ${valid.replace('acme', 'ac\u00e9me')}\n`
    await send(await host(webhooks), { title: '', status: 204, body })
    expect(Buffer.from(bytes ?? [])).toEqual(Buffer.from(body))
  })

  test('starts deferred work after the response has arrived', async () => {
    const { webhooks } = quietWebhooks()
    const order: string[] = []
    webhooks.endpoint('echo', (_payload, { defer }) => {
      defer(() => order.push('deferred'))
      order.push('handled')
    })
    const url = await host(webhooks)
    expect((await send(url, { title: '', status: 204 })).status).toBe(204)
    await webhooks.idle()
    expect(order).toEqual(['handled', 'deferred'])
  })
})

describe('in an app of the user', () => {
  test.each(['express', 'fastify'])(
    'does not affect other paths and parsers of %s',
    async (name) => {
      const url = await hosts[name]!(table())
      const answer = await send(url, { title: '', status: 200, path: '/own', body: '{"a":1}' })
      expect(JSON.parse(answer.text)).toEqual({ a: 1 })
      expect((await send(url, { title: '', status: 404, method: 'GET', path: '/' })).status).toBe(
        404,
      )
    },
  )

  test('works after express.json()', async () => {
    const { webhooks } = quietWebhooks()
    let bytes: Uint8Array | undefined
    webhooks.endpoint('echo', ({ event }, { rawBody }) => {
      bytes = rawBody
      return { got: event.scope }
    })
    const url = await serve(express().use(express.json(), webhooks.express()))
    expect((await send(url, { title: '', status: 200 })).text).toBe('{"got":"repo.content"}')
    expect(Buffer.from(bytes ?? []).toString()).toBe(valid)
    expect((await send(url, { title: '', status: 422, body: '{}' })).status).toBe(422)
    const text = { ...signed, 'content-type': 'text/plain' }
    expect((await send(url, { title: '', status: 415, headers: text })).status).toBe(415)
  })

  test('uses the raw body that a cloud function has kept', async () => {
    const { webhooks } = quietWebhooks()
    let bytes: Uint8Array | undefined
    webhooks.endpoint('echo', (_payload, { rawBody }) => void (bytes = rawBody))
    const app = express().use(
      express.json({
        verify: (request, _response, body) => Object.assign(request, { rawBody: body }),
      }),
      webhooks.express(),
    )
    await send(await serve(app), { title: '', status: 204, body: ` ${valid}` })
    expect(Buffer.from(bytes ?? []).toString()).toBe(` ${valid}`)
  })

  test('explains the fix if the body was read and not kept', async () => {
    const app = express().use((request, _response, next) => {
      request.resume().on('end', next)
    }, table().express())
    const answer = await send(await serve(app), { title: '', status: 500 })
    expect(answer.status).toBe(500)
    expect(answer.text).toContain('mount hooks.express() before other body parsers')
  })

  test('uses the raw body that Express has kept', async () => {
    const app = express().use(express.raw({ type: '*/*' }), table().express())
    expect((await send(await serve(app), { title: '', status: 200 })).status).toBe(200)
  })
})

const below: Record<string, (webhooks: Webhooks, path: string) => Promise<string>> = {
  fetch: (webhooks) => hosts['fetch']!(webhooks),
  node: (webhooks) => hosts['node']!(webhooks),
  express: (webhooks, path) => serve(express().use(path, webhooks.express())),
  'express, after express.json()': (webhooks, path) =>
    serve(express().use(express.json()).use(path, webhooks.express())),
  'express, in two steps': (webhooks, path) => {
    const router = express.Router().use(webhooks.express())
    return serve(express().use(path, router))
  },
  fastify: async (webhooks, path) => {
    const app = fastify({ forceCloseConnections: true })
    await app.register(webhooks.fastify(), { prefix: path })
    closers.push(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
}

describe.each(Object.entries(below))('mounted below a path, %s', (_name, host) => {
  test.each(['/api', '/a/b', '/webhooks'])('responds under %s, with its URLs', async (path) => {
    const url = await host(table(), path)
    const called = await send(url, { title: '', status: 200, path: `${path}/webhooks/echo?x=1` })
    expect(called).toMatchObject({ status: 200, text: '{"got":"repo.content"}' })
    const seen = { title: '', status: 200, path: `${path}/webhooks`, method: 'GET' }
    const { endpoints } = JSON.parse((await send(url, seen)).text) as Summary
    expect(endpoints[0]?.url).toBe(`${url}${path}/webhooks/echo`)
    const unknown = await send(url, { title: '', status: 404, path: `${path}/webhooks/nowhere` })
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain(`POST ${path}/webhooks/echo`)
  })
})

describe('sockets', () => {
  test('a disconnect of the sender aborts the signal', async () => {
    const { webhooks } = quietWebhooks()
    const started = createGate()
    const aborted = createGate()
    webhooks.endpoint('echo', async (_payload, { signal }) => {
      signal.addEventListener('abort', aborted.resolve)
      started.resolve()
      await aborted.promise
    })
    const stop = new AbortController()
    const sent = fetch(`${await serve(webhooks.node())}/webhooks/echo`, {
      method: 'POST',
      headers: signed,
      body: valid,
      signal: stop.signal,
    })
    await started.promise
    stop.abort()
    await expect(sent).rejects.toThrow('aborted')
    await aborted.promise
    await webhooks.idle()
    expect(webhooks.receptions).toHaveLength(1)
  })

  test('a body that breaks off is recorded', async () => {
    const { webhooks, log } = quietWebhooks()
    webhooks.endpoint('echo', () => undefined)
    const arrived = createGate()
    const listener = webhooks.node()
    const { port } = new URL(
      await serve((message, reply) => {
        listener(message, reply)
        arrived.resolve()
      }),
    )
    const socket = connect(Number(port), '127.0.0.1')
    const lines = ['POST /webhooks/echo HTTP/1.1', 'Host: localhost', 'X-Webhook-Secret: abc']
    lines.push('Content-Type: application/json', 'Content-Length: 100', '', '{')
    socket.write(lines.join('\r\n'))
    await arrived.promise
    socket.destroy()
    await expect.poll(() => webhooks.receptions.length, { timeout: 20_000 }).toBe(1)
    expect(webhooks.receptions[0]).toMatchObject({ status: 400 })
    expect(log.error).not.toHaveBeenCalled()
  })

  test.each(['GET http://[broken HTTP/1.1', 'TRACE / HTTP/1.1'])(
    'returns 400 to %s',
    async (line) => {
      const { port } = new URL(await serve(table().node()))
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(`${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      let text = ''
      for await (const chunk of socket) text += String(chunk)
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
    },
  )

  test('keeps the connection usable after an unwanted body', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('echo', () => ({}))
    const url = `${await serve(webhooks.node())}/webhooks/echo`
    const post = (body: string, headers = signed) => fetch(url, { method: 'POST', headers, body })
    for (let round = 0; round < 3; round += 1) {
      expect((await post('a'.repeat(2 ** 21))).status).toBe(413)
      expect((await post(valid, { ...signed, 'x-webhook-secret': '-' })).status).toBe(403)
      expect((await post(valid)).status).toBe(200)
    }
  })
})
