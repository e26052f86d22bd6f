import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Sandbox } from '../../server/index.ts'
import { buildTestApp } from '../helpers/app.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})

const send = (path: string, init?: RequestInit) => fetch(sandbox.url + path, init)

/** Sends a request that `fetch` would refuse, and returns the response. */
async function exchange(message: string): Promise<string> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
  socket.write(message)
  return text(socket)
}

describe('the first request below /_sandbox', () => {
  test('several at once each get one response and one effect', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `user-${index}`)
    const created = names.map((username) =>
      send('/_sandbox/api/users', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username }),
      }),
    )
    const page = send('/_sandbox/')
    const statuses = (await Promise.all(created)).map(({ status }) => status)
    expect(statuses).toEqual(names.map(() => 201))
    expect((await page).status).not.toBe(500)
    const { items } = await sandbox.control<{ items: { username: string }[] }>('GET', 'users')
    const made = items.filter(({ username }) => username.startsWith('user-'))
    expect(made.map(({ username }) => username).toSorted()).toEqual(names.toSorted())
  })

  test('may be an upgrade', async () => {
    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/_sandbox/live`)
    const [message] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(message.toString())).toHaveProperty('cursor')
    socket.close()
    await once(socket, 'close')
  })

  test('may be a refused upgrade', async () => {
    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/_sandbox/live`, {
      origin: 'https://evil.example',
    })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('403')
  })

  test('may come from this process', async () => {
    expect(await sandbox.clock.read()).toHaveProperty('now')
  })

  test('may be HEAD: the headers of GET without a body', async () => {
    const answer = await exchange(
      'HEAD /_sandbox/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/content-length: [1-9]/)
    expect(answer).toMatch(/cache-control: no-store/)
    expect(answer.endsWith('\r\n\r\n')).toBe(true)
  })

  test('may be HEAD of an endless stream or an unknown path', async () => {
    const [follow, nothing] = await Promise.all([
      send('/_sandbox/api/deliveries?follow=1', { method: 'HEAD' }),
      send('/_sandbox/api/nothing', { method: 'HEAD' }),
    ])
    expect([follow.status, await follow.text()]).toEqual([200, ''])
    expect([nothing.status, await nothing.text()]).toEqual([404, ''])
  })

  test.each([
    ['GET', '/_sandbox/api/nothing', 404, 'not_found'],
    ['PUT', '/_sandbox/api/clock', 404, 'not_found'],
    ['DELETE', '/_sandbox/health', 404, 'not_found'],
    ['POST', '/_sandbox/api/clock', 400, 'invalid_request'],
    ['GET', '/_sandbox/api/users?nothing=1', 400, 'invalid_request'],
  ])('may be refused: %s %s', async (method, path, status, error) => {
    const init = method === 'POST' ? { headers: { 'content-type': 'application/json' } } : {}
    const answer = await send(path, { method, ...init, ...(method === 'POST' && { body: '{}' }) })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    // What is none of the hub's answers has neither its ids nor its quota.
    expect(answer.headers.has('x-request-id')).toBe(false)
    expect(answer.headers.has('ratelimit')).toBe(false)
  })

  test('may have a foreign Host, as from a proxy, and a malformed path', async () => {
    const [evil, proxied, unreadable] = await Promise.all([
      exchange('GET /_sandbox/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
      exchange(
        'GET http://localhost/_sandbox/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ),
      exchange('GET /_sandbox/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    ])
    expect(evil).toMatch(/^HTTP\/1\.1 403 /)
    expect(proxied).toMatch(/^HTTP\/1\.1 200 /)
    expect(unreadable).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('may arrive while the sandbox closes, and nothing hangs', async () => {
    const answers = [send('/_sandbox/api/overview'), send('/_sandbox/'), send('/_sandbox/health')]
    const settled = Promise.allSettled(answers)
    await sandbox.close()
    const statuses = (await settled).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.status] : [],
    )
    expect(statuses.filter((status) => ![200, 404, 503].includes(status))).toEqual([])
  })
})

test.each([
  ['//', 404],
  ['//[]', 404],
  ['//%', 400],
  ['//_sandbox/api/clock', 404],
])('reads the path %s without a socket as with one (RFC 9112 §3.2.1)', async (path, status) => {
  const { server } = await buildTestApp()
  expect((await server.inject(path)).statusCode).toBe(status)
  expect(
    await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
  ).toContain(`HTTP/1.1 ${status} `)
})

test('requests of hub and control API never share an id', async () => {
  await send('/api/whoami-v2')
  await sandbox.signIn({ user: 'alice' })
  await send('/api/whoami-v2')
  const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'requests')
  const ids = items.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(3)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the uptime counts from the start, whenever it is first requested', async () => {
  const asked = Date.now()
  const { startedAt } = await sandbox.control<{ startedAt: string }>('GET', 'overview')
  expect(Date.parse(startedAt)).toBeLessThan(asked)
})
