import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import type { LiveMessage } from '../../server/contract/live.ts'
import { createClock } from '../../server/core/clock.ts'
import type { ServerDeps } from '../../server/lab/server-deps.ts'
import { createBus } from '../../server/hub/events/bus.ts'
import { createEventLog } from '../../server/inspect/live/event-log.ts'
import { registerControlGuard } from '../../server/web/plugins/control-guard.ts'
import { registerHostGuard } from '../../server/web/plugins/host-guard.ts'
import { takeUpgrades } from '../../server/web/plugins/take-upgrades.ts'
import { liveRoutes } from '../../server/lab/live/routes.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start({ controlToken }: { controlToken?: string } = {}) {
  const clock = createClock()
  const bus = createBus(clock)
  const live = createEventLog(bus, 'run1')
  const app = Fastify({ forceCloseConnections: true })
  const settings = {
    port: 7420,
    baseUrl: 'http://localhost:7420',
    allowHosts: [],
    allowAddressHosts: false,
    storageHost: 'own' as const,
    ...(controlToken === undefined ? {} : { controlToken }),
  }
  registerHostGuard(app, settings)
  await app.register(async (control) => {
    registerControlGuard(control, settings)
    // The routes take nothing else of the server's services.
    await control.register(liveRoutes, {
      deps: { live } as unknown as ServerDeps,
    })
  })
  app.post('/echo', (request) => request.body)
  takeUpgrades(app.server, (request, response) => app.routing(request, response))
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.push(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return { bus, live, app, url: `ws://127.0.0.1:${port}/_sandbox/live` }
}

/** Collects messages until there are `count`; `onFirst` is called when the first is there. */
function read(url: string, count: number, options: ClientOptions = {}, onFirst = () => {}) {
  return new Promise<LiveMessage[]>((resolve, reject) => {
    const messages: LiveMessage[] = []
    const socket = new WebSocket(url, options)
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      messages.push(JSON.parse(data.toString()) as LiveMessage)
      if (messages.length === 1) onFirst()
      if (messages.length < count) return
      resolve(messages)
      socket.close()
    })
  })
}

test('replays recent facts, then streams new ones', async () => {
  const { bus, url } = await start()
  bus.emit('app.created', { clientId: 'before' })
  const messages = await read(url, 2, {}, () => bus.emit('app.created', { clientId: 'after' }))
  expect(messages).toMatchObject([
    { cursor: 'run1-1', entries: [{ seq: 1, type: 'app.created', data: { clientId: 'before' } }] },
    { cursor: 'run1-2', entries: [{ seq: 2, type: 'app.created', data: { clientId: 'after' } }] },
  ])
})

test('resumes after ?since= without a gap', async () => {
  const { bus, url } = await start()
  bus.emit('app.created', { clientId: 'one' })
  bus.emit('app.created', { clientId: 'two' })
  const [message] = await read(`${url}?since=run1-1`, 1)
  expect(message?.entries.map(({ seq }) => seq)).toEqual([2])
  expect(message?.gap).toBeUndefined()
})

test('refuses pages of other origins, unknown hosts and cross-site requests', async () => {
  const { url } = await start()
  const refused = 'Unexpected server response: 403'
  await expect(read(url, 1, { origin: 'https://evil.example' })).rejects.toThrow(refused)
  await expect(read(url, 1, { origin: 'null' })).rejects.toThrow(refused)
  await expect(read(url, 1, { headers: { host: 'evil.example' } })).rejects.toThrow(refused)
  await expect(read(url, 1, { headers: { 'sec-fetch-site': 'cross-site' } })).rejects.toThrow(
    refused,
  )
})

test('asks for the control token when there is one', async () => {
  const { url } = await start({ controlToken: 'open-sesame' })
  await expect(read(url, 1)).rejects.toThrow('Unexpected server response: 401')
  const headers = { authorization: 'Bearer open-sesame' }
  expect(await read(url, 1, { headers })).toMatchObject([{ cursor: 'run1-0' }])
})

test('returns HTTP for an upgrade of another path, and 426 for plain HTTP', async () => {
  const { url, app } = await start()
  await expect(read(url.replace('/live', '/other'), 1)).rejects.toThrow(
    'Unexpected server response: 404',
  )
  const answer = await app.inject({ url: '/_sandbox/live', headers: { host: 'localhost' } })
  expect(answer.statusCode).toBe(426)
})

test('ignores the offer of another protocol and keeps the whole request', async () => {
  const { app } = await start()
  const { port } = app.server.address() as AddressInfo
  const arrived = once(app.server, 'connection') as Promise<[Socket]>
  const socket = connect(port, '127.0.0.1')
  const answer = text(socket)
  const body = '{"form":"whole"}'
  const head =
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n' +
    'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`
  socket.write(head)
  const [incoming] = await arrived
  await expect.poll(() => incoming.bytesRead, { timeout: 20_000 }).toBe(head.length)
  socket.write(body.slice(5))
  socket.write('GET /_sandbox/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*{"form":"whole"}[^]*HTTP\/1\.1 426 /)
})

test('closes its sockets with the server', async () => {
  const { url, app } = await start()
  const socket = new WebSocket(url)
  await new Promise((resolve) => socket.once('message', resolve))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await app.close()
  expect(await closed).toBe(1001)
})
