import { describe, expect, test, vi } from 'vitest'
import {
  createWebhooks,
  memoryStore,
  type WebhookContext,
  type WebhooksOptions,
} from '../../../server/receiver/index.ts'
import { fixture, receive, signedRequest } from '../../../server/receiver/testing.ts'
import { createGate, quietWebhooks } from './kit.ts'

const knownSecret = { secret: 'abc' }
const payload = fixture('repo.content.update')

function get(path: string, init: RequestInit = {}) {
  return new Request(`http://localhost${path}`, init)
}

describe('createWebhooks()', () => {
  // A secret under another name would leave the receiver open to everyone.
  test.each([
    [{ webhookSecret: 'abc' }, 'has no option "webhookSecret" (did you mean "webhook_secret"?)'],
    [{ secrets: ['abc'] }, 'has no option "secrets" (did you mean "secret"?)'],
    ['abc', 'takes an object of options, not "abc"'],
    [{ secret: null }, 'A webhook secret must be a string'],
    [{ secret: [undefined] }, 'A webhook secret must be a string'],
    [{ secret: 5 }, 'A webhook secret must be a string'],
    [{ dedupe: true }, 'a store with get() and set(), such as memoryStore()'],
    [{ dedupe: memoryStore }, 'a store with get() and set(), such as memoryStore()'],
    [{ autoAckMs: '25s' }, 'a number of milliseconds, or false, not "25s"'],
    [{ autoAckMs: Number.NaN }, 'a number of milliseconds, or false, not NaN'],
  ])('refuses %j', (options, message) => {
    expect(() => createWebhooks(options as WebhooksOptions)).toThrow(message)
  })
})

describe('endpoint()', () => {
  test('names the route after the function or by option', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint(function review() {
      return { by: 'function' }
    })
    webhooks.endpoint('/nested/path/', () => ({ by: 'name' }))
    const answers = await Promise.all(
      ['review', 'nested/path'].map((endpoint) =>
        receive(webhooks, payload, { ...knownSecret, endpoint }).then((answer) => answer.json()),
      ),
    )
    expect(answers).toEqual([{ by: 'function' }, { by: 'name' }])
  })

  test.each([
    '',
    '/',
    '..',
    'a/../b',
    './a',
    'a//b',
    'a b',
    'a?b',
    'a#b',
    'a%2fb',
    'a\\b',
    '.hidden',
  ])('refuses the name %j', (name) => {
    const { webhooks } = quietWebhooks()
    expect(() => webhooks.endpoint(name, () => undefined)).toThrow(TypeError)
  })

  test('refuses anonymous functions, taken names and values that are not functions', () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('a', () => undefined)
    expect(() => webhooks.endpoint(() => undefined)).toThrow('before an anonymous function')
    expect(() => webhooks.endpoint('/a', () => undefined)).toThrow('"a" already')
    expect(() => webhooks.endpoint('b', undefined as never)).toThrow('requires a function')
  })
})

describe('the response', () => {
  test.each([
    { handler: () => ({ processed: true }), status: 200, body: '{"processed":true}' },
    { handler: () => null, status: 200, body: 'null' },
    { handler: () => undefined, status: 204, body: '' },
    { handler: () => new Response('mine', { status: 201 }), status: 201, body: 'mine' },
  ])('is the return value of the handler: $body', async ({ handler, status, body }) => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', handler)
    const answer = await receive(webhooks, payload, { ...knownSecret, endpoint: 'x' })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toBe(body)
  })

  test('hides an error, which is logged', async () => {
    const { webhooks, log } = quietWebhooks()
    const broken = new Error('password is hunter2')
    webhooks.endpoint('x', () => Promise.reject(broken))
    const answer = await receive(webhooks, payload, { ...knownSecret, endpoint: 'x' })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({ error: 'The webhook handler failed.' })
    expect(log.error).toHaveBeenCalledWith('Webhook endpoint "x" failed.', broken)
  })

  test('is an error if the return value is not JSON', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => ({ big: 1n }))
    expect((await receive(webhooks, payload, { ...knownSecret, endpoint: 'x' })).status).toBe(500)
  })
})

describe('refusals', () => {
  test('come after the check of the secret and reveal nothing without it', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const requests = [
      get('/webhooks/unknown', { method: 'POST' }),
      get('/webhooks/x', { method: 'POST', body: 'not json' }),
      get('/webhooks/x', { method: 'POST', body: 'a'.repeat(2 ** 21) }),
    ]
    const answers = await Promise.all(requests.map((request) => webhooks.fetch(request)))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  test('name the endpoints only to callers with the secret', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const known = await receive(webhooks, payload, { ...knownSecret, endpoint: 'y' })
    expect(known.status).toBe(404)
    expect(await known.json()).toMatchObject({ endpoints: ['POST /webhooks/x'] })
    const stranger = await webhooks.fetch(get('/webhooks/y'))
    expect(await stranger.json()).toEqual({ error: 'Not found.' })
  })

  test('describe the mistake in the body', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const post = (body: BodyInit, headers = {}) =>
      webhooks.fetch(
        get('/webhooks/x', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'x-webhook-secret': 'abc', ...headers },
        }),
      )
    const wrong = await post('{"event":{}}')
    expect(wrong.status).toBe(422)
    expect(await wrong.json()).toMatchObject({
      error: 'Invalid webhook payload. event.action is missing.',
      issues: [{ path: 'event.action' }, { path: 'event.scope' }, { path: 'repo' }, {}],
    })
    expect(await (await post('{"event":')).json()).toMatchObject({
      error: expect.stringContaining('The body is not JSON') as string,
    })
    expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(422)
    expect((await post('')).status).toBe(422)
    const text = await post('{}', { 'content-type': 'text/plain' })
    expect(text.status).toBe(415)
    expect(await text.json()).toEqual({
      error: 'Content-Type must be application/json, got "text/plain".',
    })
  })

  test.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['Application/JSON', true],
    ['application/cloudevents+json', true],
    ['application/jsonx', false],
    ['text/json', false],
    ['multipart/form-data', false],
  ])('depend on the content type %s', async (type, accepted) => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const headers = { 'content-type': type }
    const { status } = await receive(webhooks, payload, { ...knownSecret, endpoint: 'x', headers })
    expect(status).toBe(accepted ? 204 : 415)
  })

  test('suggest a fix if the body was already read', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const request = signedRequest(payload, { ...knownSecret, endpoint: 'x' })
    await request.text()
    const answer = await webhooks.fetch(request)
    expect(answer.status).toBe(500)
    expect(await answer.text()).toMatch(/hooks\.express\(\) before other body parsers.*clone/)
  })

  test.each([
    [0, 204],
    [1, 413],
  ])('start above 1 MiB: %i bytes more get %i', async (more, status) => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const { headers } = signedRequest(payload, knownSecret)
    const body = new TextEncoder().encode(JSON.stringify(payload).padEnd(2 ** 20 + more))
    const announced = new Headers(headers)
    announced.set('content-length', String(body.length))
    const chunked = new Headers(headers)
    chunked.delete('content-length')
    for (const sent of [announced, chunked]) {
      const request = get('/webhooks/x', { method: 'POST', headers: sent, body })
      expect((await webhooks.fetch(request)).status).toBe(status)
    }
  })

  test('come by Content-Length before the body is read', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    const { headers } = signedRequest(payload, knownSecret)
    headers.set('content-length', String(2 ** 20 + 1))
    const pull = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await webhooks.fetch(get('/webhooks/x', init))).status).toBe(413)
    expect(pull).not.toHaveBeenCalled()
  })

  test('stop a body without Content-Length at the limit', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.endpoint('x', () => undefined)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    const { headers } = signedRequest(payload, knownSecret)
    const init = { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit
    expect((await webhooks.fetch(get('/webhooks/x', init))).status).toBe(413)
    expect(sent).toBeLessThan(2 ** 21)
  })
})

describe('the context', () => {
  test('has the bytes, the headers and their values', async () => {
    const { webhooks } = quietWebhooks()
    let context: WebhookContext | undefined
    webhooks.endpoint('x', (_payload, given) => {
      context = given
    })
    const headers = { 'x-sandbox-attempt': '3' }
    await receive(webhooks, payload, { ...knownSecret, endpoint: 'x', webhookId: 'wh_9', headers })
    expect(context).toMatchObject({ endpoint: 'x', dedupeKey: 'wh_9', attempt: 3 })
    expect(new TextDecoder().decode(context?.rawBody)).toBe(JSON.stringify(payload))
    expect(context?.headers.get('webhook-id')).toBe('wh_9')
    expect(context?.receivedAt).toBeInstanceOf(Date)
    await receive(webhooks, payload, { ...knownSecret, endpoint: 'x' })
    expect(context).not.toHaveProperty('attempt')
  })

  test('runs deferred work after the response', async () => {
    const { webhooks } = quietWebhooks()
    const task = vi.fn<() => void>()
    webhooks.endpoint('x', (_payload, { defer }) => defer(task))
    const answer = await webhooks.fetch(signedRequest(payload, { ...knownSecret, endpoint: 'x' }))
    expect(answer.status).toBe(204)
    expect(task).not.toHaveBeenCalled()
    await webhooks.idle()
    expect(task).toHaveBeenCalledOnce()
  })

  test('drops deferred work of a failing handler, and logs deferred work that fails', async () => {
    const { webhooks, log } = quietWebhooks()
    const task = vi.fn<() => void>()
    webhooks.endpoint('x', (_payload, { defer }) => {
      defer(task)
      throw new Error('no')
    })
    webhooks.endpoint('y', (_payload, { defer }) => defer(() => Promise.reject(new Error('late'))))
    await receive(webhooks, payload, { ...knownSecret, endpoint: 'x' })
    expect(task).not.toHaveBeenCalled()
    expect((await receive(webhooks, payload, { ...knownSecret, endpoint: 'y' })).status).toBe(204)
    expect(log.error).toHaveBeenLastCalledWith('Deferred work of "y" failed.', new Error('late'))
  })

  test('lets Workers wait for deferred work', async () => {
    const { webhooks } = quietWebhooks()
    const task = vi.fn<() => void>()
    webhooks.endpoint('x', (_payload, { defer }) => defer(task))
    const waits: Promise<unknown>[] = []
    const worker = { waitUntil: (work: Promise<unknown>) => waits.push(work) }
    await webhooks.fetch(signedRequest(payload, { ...knownSecret, endpoint: 'x' }), {}, worker)
    await Promise.all(waits)
    expect(task).toHaveBeenCalledOnce()
  })
})

describe('the automatic 202', () => {
  test('is sent if a handler runs too long, and the handler continues', async () => {
    const { webhooks, log } = quietWebhooks({ autoAckMs: 5 })
    const gate = createGate()
    const after = vi.fn<() => void>()
    let signal: AbortSignal | undefined
    webhooks.endpoint('x', async (_payload, context) => {
      signal = context.signal
      await gate.promise
      context.defer(after)
    })
    const answer = await webhooks.fetch(signedRequest(payload, { ...knownSecret, endpoint: 'x' }))
    expect(answer.status).toBe(202)
    expect(log.warn).toHaveBeenCalledWith(expect.stringContaining('responded with 202'))
    expect(signal?.aborted).toBe(false)
    gate.resolve()
    await webhooks.idle()
    expect(after).toHaveBeenCalledOnce()
  })

  test('comes after 25 s, before the hub gives up at 30 s', async () => {
    vi.useFakeTimers()
    const { webhooks } = quietWebhooks()
    const gate = createGate()
    webhooks.endpoint('x', () => gate.promise)
    const answered = vi.fn<(status: number) => void>()
    const work = webhooks
      .fetch(signedRequest(payload, { ...knownSecret, endpoint: 'x' }))
      .then(({ status }) => answered(status))
    await vi.advanceTimersByTimeAsync(24_999)
    expect(answered).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await work
    expect(answered).toHaveBeenCalledWith(202)
    gate.resolve()
    vi.useRealTimers()
  })

  test('can be switched off: then the signal aborts when the hub gives up', async () => {
    vi.useFakeTimers()
    const { webhooks } = quietWebhooks({ autoAckMs: false })
    webhooks.endpoint('x', (_payload, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ aborted: true }))
      })
    })
    const work = webhooks.fetch(signedRequest(payload, { ...knownSecret, endpoint: 'x' }))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await (await work).json()).toEqual({ aborted: true })
    vi.useRealTimers()
  })
})
