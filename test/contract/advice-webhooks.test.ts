import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Advice } from '../../server/contract/control-advice.ts'
import { controlWorld } from '../helpers/control.ts'

const world = controlWorld()
const { call } = world

const secret = 'sandbox_webhook_secret'

async function receive(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Creates a webhook and sends it one event; returns the delivery. */
async function deliver(url: string, more: object = { secret }): Promise<string> {
  const watched = [{ type: 'org', name: 'acme' }]
  await call('POST', 'webhooks', { owner: 'alice', url, watched, ...more })
  await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  await call('GET', 'idle')
  const { body } = await call<{ items: { id: string }[] }>('GET', 'deliveries')
  return body.items[0]?.id ?? ''
}

async function found() {
  const { body } = await call<Advice>('GET', 'advice')
  const items = body.items.map(({ rule, level }) => `${level} ${rule}`)
  return { items, body }
}

const judged = ({ rules }: Advice, rule: string) => rules.find(({ id }) => id === rule)?.judged

describe('a receiver', () => {
  test('with a secret that accepts what it gets has no finding', async () => {
    const id = await deliver(await receive((_request, response) => response.end('ok')))
    await call('POST', `deliveries/${id}/replay`, {})
    await call('GET', 'idle')
    const { items, body } = await found()
    expect(items).toEqual([])
    for (const rule of ['no-secret', 'echoes-secret', 'redirects', 'slow', 'refuses-duplicate']) {
      expect([rule, judged(body, `webhook/${rule}`)]).not.toEqual([rule, 0])
    }
  })

  test('without a secret can be called by anybody, unless the secret is in its URL', async () => {
    const url = await receive((_request, response) => response.end())
    await deliver(`${url}?secret=in-the-url`, {})
    expect((await found()).items).toEqual([])
    await deliver(url, {})
    const { items, body } = await found()
    expect(items).toEqual(['warning webhook/no-secret'])
    expect(body.items[0]?.webhook?.url).toBe(url)
  })

  test('that is temporary needs no secret', async () => {
    const url = await receive((_request, response) => response.end())
    await deliver(url, { temporary: true })
    expect((await found()).items).toEqual([])
  })

  test('that returns headers of the request returns the secret', async () => {
    const url = await receive((request, response) => response.end(JSON.stringify(request.headers)))
    await deliver(url)
    const { items, body } = await found()
    expect(items).toEqual(['error webhook/echoes-secret'])
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('that redirects is not followed', async () => {
    await deliver(
      await receive((_request, response) => response.writeHead(308, { location: '/' }).end()),
    )
    expect((await found()).items).toEqual(['error webhook/redirects'])
  })

  test.each([
    [409, ['error webhook/refuses-duplicate']],
    [401, []],
    [500, []],
  ])('that answers a repetition with %i', async (status, wanted) => {
    let count = 0
    const url = await receive((_request, response) =>
      response.writeHead(count++ === 0 ? 200 : status).end(),
    )
    const id = await deliver(url)
    await call('POST', `deliveries/${id}/replay`, {})
    await call('GET', 'idle')
    expect((await found()).items).toEqual(wanted)
  })

  test('that is slow once may have just started, and twice is slow', async () => {
    const id = await deliver(await receive((_request, response) => response.end()))
    await call('POST', `deliveries/${id}/replay`, {})
    await call('GET', 'idle')
    const { attempts } = world.sandbox.deps.state
    const slowDown = (number: number) => {
      const attempt = attempts.get(`${id}/${number}`)
      if (attempt === undefined) throw new Error(`there is no attempt ${number}`)
      attempts.put({ ...attempt, durationMs: 5100 })
    }
    slowDown(1)
    expect((await found()).items).toEqual([])
    slowDown(2)
    const { items, body } = await found()
    expect(items).toEqual(['warning webhook/slow'])
    expect(body.items[0]?.evidence[0]).toMatchObject({ id: `${id}/1`, note: 'took 5.1 s' })
  })
})
